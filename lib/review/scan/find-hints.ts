/** Where each of a fixed set of short texts begins in a text, in any letter case: one step for each character. */
export type HintFinder = (text: string) => number[][];

/** Letters beyond ASCII that patterns without regard to case take for these. */
const FOLDED: [number, string][] = [
  [0x17f, "s"],
  [0x212a, "k"],
];

/** Builds an Aho-Corasick automaton over lower-case ASCII texts; the answers stand in the order of `hints`. */
export function createHintFinder(hints: string[]): HintFinder {
  const { classOf, classes } = classify(hints);
  const next: number[][] = [new Array<number>(classes).fill(-1)];
  const ends: number[][] = [[]];
  hints.forEach((hint, id) => {
    let node = 0;
    for (const char of hint) {
      const symbol = classOf[char.charCodeAt(0)] ?? 0;
      const row = next[node] ?? [];
      if ((row[symbol] ?? -1) === -1) {
        row[symbol] = next.length;
        next.push(new Array<number>(classes).fill(-1));
        ends.push([]);
      }
      node = row[symbol] ?? 0;
    }
    ends[node]?.push(id);
  });
  linkFailures(next, ends, classes);
  const table = Int32Array.from(next.flat());
  const lengths = hints.map((hint) => hint.length);
  const hasEnd = Uint8Array.from(ends, (ids) => (ids.length > 0 ? 1 : 0));
  return (text) => {
    const found: number[][] = hints.map(() => []);
    let node = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const symbol = code < 128 ? (classOf[code] ?? 0) : foldedClass(code, classOf);
      node = table[node * classes + symbol] ?? 0;
      if (hasEnd[node] === 1) for (const id of ends[node] ?? []) found[id]?.push(at + 1 - (lengths[id] ?? 0));
    }
    return found;
  };
}

/** Numbers the characters that occur in the hints; 0 is every other one. */
function classify(hints: string[]): { classOf: Uint8Array; classes: number } {
  const classOf = new Uint8Array(128);
  let classes = 1;
  for (const char of new Set(hints.join(""))) {
    classOf[char.charCodeAt(0)] = classes;
    classOf[char.toUpperCase().charCodeAt(0)] = classes;
    classes += 1;
  }
  return { classOf, classes };
}

function foldedClass(code: number, classOf: Uint8Array): number {
  for (const [point, letter] of FOLDED) if (code === point) return classOf[letter.charCodeAt(0)] ?? 0;
  return 0;
}

function linkFailures(next: number[][], ends: number[][], classes: number): void {
  const failure = new Array<number>(next.length).fill(0);
  const queue: number[] = [];
  for (let symbol = 0; symbol < classes; symbol += 1) {
    const child = next[0]?.[symbol] ?? -1;
    if (child === -1) {
      if (next[0]) next[0][symbol] = 0;
    } else queue.push(child);
  }
  for (const node of queue) {
    for (let symbol = 0; symbol < classes; symbol += 1) {
      const child = next[node]?.[symbol] ?? -1;
      const fallback = next[failure[node] ?? 0]?.[symbol] ?? 0;
      if (child === -1) {
        const row = next[node];
        if (row) row[symbol] = fallback;
        continue;
      }
      failure[child] = fallback;
      ends[child]?.push(...(ends[fallback] ?? []));
      queue.push(child);
    }
  }
}
