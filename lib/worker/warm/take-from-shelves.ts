import type { Held, Shelf } from "./shelf";

/**
 * Takes processes from shelves, while `isFull` says so, and answers with them: what is beyond a shelf's base first, and what
 * was used longest ago before what was used later. For a shelf that wants room, nothing of its own and nothing of the base of one
 * that was used later; and no other's base, unless its own base is what it lacks.
 */
export function takeFromShelves(
  shelves: Iterable<Shelf>,
  isFull: () => boolean,
  wanting: { shelf: Shelf; lacksBase: boolean } | null = null,
): Held[] {
  const byUse = [...shelves].sort((a, b) => a.usedMs - b.usedMs);
  const older = wanting ? byUse.slice(0, byUse.indexOf(wanting.shelf)) : byUse;
  const others = byUse.filter((shelf) => shelf !== wanting?.shelf);
  const taken: Held[] = [];
  const take = ({ waiting }: Shelf, left: number) => {
    while (isFull() && waiting.length > left) taken.push(...waiting.splice(0, 1));
  };
  const lacksBase = wanting?.lacksBase ?? true;
  for (const shelf of lacksBase ? others : older) take(shelf, shelf.demand.base());
  if (lacksBase) for (const shelf of older) take(shelf, 0);
  return taken;
}
