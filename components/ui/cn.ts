import { type ClassValue, clsx } from "clsx";
import { createTailwindMerge } from "tailwind-merge";
import { classGroups, replacedGroups } from "./class-groups";

const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups,
  conflictingClassGroups: replacedGroups,
  conflictingClassGroupModifiers: { "font-size": ["leading"] },
  orderSensitiveModifiers: ["*", "**", "after", "before", "file", "marker", "placeholder"],
}));

/** Joins class names; a later Tailwind class replaces an earlier one of the same property. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
