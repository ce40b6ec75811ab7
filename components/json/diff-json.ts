import { pointerOf } from "./json-pointer";

export type JsonChange =
  | { kind: "added"; path: string; after: unknown }
  | { kind: "removed"; path: string; before: unknown }
  | { kind: "changed"; path: string; before: unknown; after: unknown };

type JsonDiff = { changes: readonly JsonChange[]; isCut: boolean };

export const maxChanges = 1_000;

/**
 * The differences between two JSON values by JSON Pointer, in document order; at most 1,000. Key order is ignored. Lists are
 * compared by index after common prefix and suffix are removed.
 */
export function diffJson(before: unknown, after: unknown): JsonDiff {
  const changes: JsonChange[] = [];
  compare(before, after, [], changes);
  return { changes: changes.slice(0, maxChanges), isCut: changes.length > maxChanges };
}

type Parts = readonly (string | number)[];

function compare(before: unknown, after: unknown, parts: Parts, changes: JsonChange[]): void {
  if (changes.length > maxChanges || Object.is(before, after)) return;
  if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, parts, changes);
  else if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const at = [...parts, key];
      if (!Object.hasOwn(after, key)) changes.push({ kind: "removed", path: pointerOf(at), before: before[key] });
      else if (!Object.hasOwn(before, key)) changes.push({ kind: "added", path: pointerOf(at), after: after[key] });
      else compare(before[key], after[key], at, changes);
    }
  } else changes.push({ kind: "changed", path: pointerOf(parts), before, after });
}

/** Skips the common prefix and suffix, so that one inserted or removed entry is a single change. */
function compareLists(before: unknown[], after: unknown[], parts: Parts, changes: JsonChange[]): void {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && isSame(before[start], after[start])) start += 1;
  let end = 0;
  while (end < least - start && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const [oldEnd, newEnd] = [before.length - end, after.length - end];
  for (let index = start; index < Math.max(oldEnd, newEnd); index += 1) {
    if (changes.length > maxChanges) return;
    const at = [...parts, index];
    if (index >= newEnd) changes.push({ kind: "removed", path: pointerOf(at), before: before[index] });
    else if (index >= oldEnd) changes.push({ kind: "added", path: pointerOf(at), after: after[index] });
    else compare(before[index], after[index], at, changes);
  }
}

/** Whether two JSON values are equal, ignoring key order. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => isSame(item, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
