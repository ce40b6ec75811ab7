/** The list with the item at `from` at `to` instead; unchanged when either lies outside. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const moved = [...items];
  if (from < 0 || to < 0 || from >= items.length || to >= items.length) return moved;
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}
