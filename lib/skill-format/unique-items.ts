import { canonicalJson } from "@/lib/core/json";
import { MAX_UNIQUE_ITEMS } from "./limits";
import { TooMuchWork } from "./validation-work";

/**
 * The index of the first item that equals an earlier one (JSON Schema validation 2020-12, section 6.4.3), or null. Throws
 * TooMuchWork for more than 1,000 items.
 */
export function findRepeatedItem(items: unknown[]): number | null {
  if (items.length > MAX_UNIQUE_ITEMS) {
    throw new TooMuchWork(`A list whose items must differ has more than ${MAX_UNIQUE_ITEMS} items.`);
  }
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = canonicalJson(item);
    if (seen.has(key)) return index;
    seen.add(key);
  }
  return null;
}
