/** What to replace in one text to get another, as short as it can be in one piece; null when they are equal. */
export function smallestChange(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let behind = 0;
  while (behind < shorter - from && before[before.length - 1 - behind] === after[after.length - 1 - behind])
    behind += 1;
  return { from, to: before.length - behind, insert: after.slice(from, after.length - behind) };
}
