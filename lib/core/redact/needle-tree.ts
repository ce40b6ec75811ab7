/** Longer needles are cut into pieces, so that little is held back and a part of a secret is found as well. In bytes. */
const PIECE_BYTES = 32;

export type NeedleTree = {
  /** The state that this byte leads to from here alone; 0 when there is none. */
  child(state: number, byte: number): number;
  /** The state of the longest shorter text that is also the beginning of a needle. */
  fallback: Int32Array;
  depth: Int32Array;
  /** Length of the longest needle that ends here; 0 when none does. */
  found: Int32Array;
  /** Which secret what ends here belongs to, or else what begins here. */
  owner: Int32Array;
  isLeaf(state: number): boolean;
  /** Length of the longest needle. */
  maxDepth: number;
};

/** All needles of all secrets as one automaton (Aho and Corasick, 1975), which looks at each byte of a text once. */
export function createNeedleTree(secrets: Iterable<string>[]): NeedleTree {
  const needles = secrets.flatMap((forms, owner) => {
    const pieces = [...forms].flatMap((form) => cutNeedle(Buffer.from(form, "utf8")));
    return pieces.map((bytes) => ({ bytes, owner }));
  });
  const size = needles.reduce((sum, { bytes }) => sum + bytes.length, 1);
  const firstChild = new Int32Array(size);
  const sibling = new Int32Array(size);
  const byteOf = new Uint8Array(size);
  const depth = new Int32Array(size);
  const found = new Int32Array(size);
  const owner = new Int32Array(size);
  const fallback = new Int32Array(size);
  const fromRoot = new Int32Array(256);
  let count = 1;

  function child(state: number, byte: number): number {
    if (state === 0) return fromRoot[byte] ?? 0;
    let at = firstChild[state] ?? 0;
    while (at !== 0 && byteOf[at] !== byte) at = sibling[at] ?? 0;
    return at;
  }

  function addChild(state: number, byte: number, of: number): number {
    const added = count++;
    byteOf[added] = byte;
    depth[added] = (depth[state] ?? 0) + 1;
    owner[added] = of;
    sibling[added] = firstChild[state] ?? 0;
    firstChild[state] = added;
    if (state === 0) fromRoot[byte] = added;
    return added;
  }

  for (const { bytes, owner: of } of needles) {
    let state = 0;
    for (const byte of bytes) state = child(state, byte) || addChild(state, byte, of);
    found[state] = bytes.length;
    owner[state] = of;
  }

  // Level by level: what is shorter is complete before it is fallen back to.
  const queue: number[] = [0];
  for (const state of queue) {
    for (let at = firstChild[state] ?? 0; at !== 0; at = sibling[at] ?? 0) {
      queue.push(at);
      if (state === 0) continue;
      let back = fallback[state] ?? 0;
      const byte = byteOf[at] ?? 0;
      while (back !== 0 && child(back, byte) === 0) back = fallback[back] ?? 0;
      const target = child(back, byte);
      fallback[at] = target;
      if (found[at] === 0 && (found[target] ?? 0) > 0) {
        found[at] = found[target] ?? 0;
        owner[at] = owner[target] ?? 0;
      }
    }
  }
  const maxDepth = needles.reduce((most, { bytes }) => Math.max(most, bytes.length), 0);
  return { child, fallback, depth, found, owner, isLeaf: (state) => firstChild[state] === 0, maxDepth };
}

/** Pieces of 32 to 66 bytes, never through a character. Pieces of almost nothing but spaces would be found everywhere. */
function cutNeedle(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let start = 0;
  while (bytes.length - start >= 2 * PIECE_BYTES) {
    let end = start + PIECE_BYTES;
    while (((bytes[end] ?? 0) & 0xc0) === 0x80) end += 1;
    pieces.push(bytes.subarray(start, end));
    start = end;
  }
  pieces.push(bytes.subarray(start));
  return pieces.filter((piece) => piece.toString("latin1").replace(/\s/g, "").length >= 6);
}
