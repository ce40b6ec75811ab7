import type { Crumb } from "@/components/ui/breadcrumb";
import { navigation } from "./navigation";

const idPattern = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/** A trail from the address alone: `/skills/csv-summary` → My skills, csv-summary. */
export function crumbsFromPath(pathname: string): Crumb[] {
  const segments = pathname.split("/").filter(Boolean);
  return segments.map((segment, index) => {
    const href = `/${segments.slice(0, index + 1).join("/")}`;
    return { label: labelOf(decode(segment), href), href };
  });
}

function labelOf(segment: string, href: string): string {
  const page = navigation.find((item) => item.href === href);
  if (page) return page.label;
  if (idPattern.test(segment)) return segment.slice(0, 8);
  return segment;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
