import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

// Without this, tailwind-merge treats `text-13` as a colour and drops it beside a real one.
const merge = extendTailwindMerge({ extend: { theme: { text: ["13", "20"] } } });

/** Joins class names; a later Tailwind class replaces an earlier one of the same property. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
