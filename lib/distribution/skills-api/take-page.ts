import { z } from "zod";
import { decodeCursor, encodeCursor } from "@/lib/db/cursor";
import type { SkillsApiPage } from "./schema";

/** Place in a list that descends by a number, and by a text where numbers are equal. */
const Position = z.tuple([z.number(), z.string()]);
export type Position = z.infer<typeof Position>;

/** Order of positions, for `sort`. */
export function comparePositions(a: Position, b: Position): number {
  return b[0] - a[0] || (a[1] < b[1] ? 1 : a[1] > b[1] ? -1 : 0);
}

/**
 * One page of a sorted list. The cursor is a position, so that approvals in between do not move the pages. Throws
 * `malformed` for a page that this list did not give.
 */
export function takePage<T, Item>(
  sorted: readonly T[],
  { limit, page = "" }: { limit: number; page?: string | undefined },
  { positionOf, present }: { positionOf(one: T): Position; present(one: T): Item },
): SkillsApiPage<Item> {
  const after = page === "" ? null : decodeCursor(Position, page);
  const first = after === null ? 0 : sorted.findIndex((one) => comparePositions(after, positionOf(one)) < 0);
  const rest = first === -1 ? [] : sorted.slice(first, first + limit + 1);
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  const next = rest.length > limit && last !== undefined ? encodeCursor(positionOf(last)) : null;
  return { data: shown.map((one) => present(one)), has_more: next !== null, next_page: next };
}
