/** At most 4,096 words of a made-up text; equal for equal seeds, unrelated for others. */
export function seededWords(count: number, seed: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    let hash = (seed * 4_096 + index) >>> 0;
    hash = Math.imul(hash ^ (hash >>> 16), 0x21f0_aaad);
    hash = Math.imul(hash ^ (hash >>> 15), 0x735a_2d97);
    return `w${((hash ^ (hash >>> 15)) >>> 0) % 2_000}`;
  });
}
