import { MIN_SECRET_LENGTH, secretForms } from "./secret-forms";

/** Longer secrets are split, so that little output is held back and parts of a secret are found too. In bytes. */
const PIECE_BYTES = 32;

type NeedleTree = {
  child(state: number, byte: number): number;
  /** State of the longest suffix that is a prefix of a needle. */
  fallback: Int32Array;
  depth: Int32Array;
  /** Length of the longest needle that ends here; 0 if none does. */
  found: Int32Array;
  /** Index of the secret that ends here, else of the one that begins here. */
  owner: Int32Array;
  isLeaf(state: number): boolean;
  maxDepth: number;
};

type RedactingStream = {
  /** Returns the redacted output so far; holds back at most the longest needle. */
  write(chunk: Buffer): Buffer;
  /** Returns the rest. With `isCut`, a partial secret at the end counts. */
  end(isCut: boolean): Buffer;
};

type Span = { start: number; end: number; owner: number; isShown: boolean };

const LF = 10;

const CR = 13;

export type Secret = { /** Name of the credential. */ credential: string; value: string };

export type Redactor = {
  stream(): RedactingStream;
  /** For a whole text. With `isCut`, the text was truncated, so a partial secret at its end counts. */
  bytes(bytes: Buffer, isCut?: boolean): Buffer;
  text(text: string): string;
  /** For a JSON value: strings, keys, and numbers that equal a secret. Returns the same value when there is none. */
  value(value: unknown): unknown;
};

/** Replaces these secrets, in every encoded form, by `•••• (credential NAME)`; null without secrets. Pure. */
export function createRedactor(secrets: Secret[]): Redactor | null {
  if (secrets.length === 0) return null;
  const tree: NeedleTree = createNeedleTree(secrets.map(({ value }) => secretForms(value)));
  const labels = secrets.map(({ credential }) => Buffer.from(`•••• (credential ${credential})`, "utf8"));
  const stream = () => redactStream(tree, labels);

  function bytes(whole: Buffer, isCut = false): Buffer {
    const pass = stream();
    return Buffer.concat([pass.write(whole), pass.end(isCut)]);
  }

  function text(whole: string): string {
    const before = Buffer.from(whole, "utf8");
    const after = bytes(before);
    return after.equals(before) ? whole : after.toString("utf8");
  }

  function value(whole: unknown): unknown {
    if (typeof whole === "string") return text(whole);
    if (typeof whole === "number") return text(String(whole)) === String(whole) ? whole : text(String(whole));
    if (Array.isArray(whole)) return whole.map(value);
    if (whole === null || typeof whole !== "object") return whole;
    // Plain assignment to `__proto__` would not create a key.
    return Object.fromEntries(Object.entries(whole).map(([key, inner]) => [text(key), value(inner)]));
  }

  return { stream, bytes, text, value };
}

/**
 * Finds needles across chunks. Ignores line ends, since encoders wrap lines. Does not hold back lines that end with the
 * first few bytes of a needle, to keep logs live.
 */
function redactStream(tree: NeedleTree, labels: Buffer[]): RedactingStream {
  const { child, fallback, depth, found, owner, isLeaf } = tree;
  /** Ring of the positions of the last relevant bytes, counted from the beginning of the stream. */
  const places = new Float64Array(tree.maxDepth + 1);
  let counted = 0;
  let state = 0;
  let position = 0;
  let told = 0;
  let released = 0;
  let pending: Buffer = Buffer.alloc(0);
  let spans: Span[] = [];

  const placeOf = (fromEnd: number) => places[(counted - fromEnd) % places.length] ?? 0;
  const heldFrom = () => (state === 0 ? position : placeOf(depth[state] ?? 0));

  function take(byte: number): void {
    let next = child(state, byte);
    let from = state;
    while (next === 0 && from !== 0) {
      from = fallback[from] ?? 0;
      next = child(from, byte);
    }
    if (next === 0 && (byte === LF || byte === CR)) return;
    state = next;
    places[counted % places.length] = position;
    counted += 1;
    const length = found[state] ?? 0;
    if (length > 0) addSpan({ start: placeOf(length), end: position + 1, owner: owner[state] ?? 0, isShown: false });
    while (state !== 0 && isLeaf(state)) state = fallback[state] ?? 0;
  }

  function addSpan(span: Span): void {
    for (let last = spans.at(-1); last && last.end >= span.start; last = spans.at(-1)) {
      if (last.end === span.start && last.owner !== span.owner) break;
      spans.pop();
      span.start = Math.min(span.start, last.start);
      span.owner = last.owner;
      span.isShown ||= last.isShown;
    }
    spans.push(span);
  }

  function tellUntil(safe: number): Buffer {
    const parts: Buffer[] = [];
    const first = told;
    const plain = (until: number) => {
      if (until > told) parts.push(pending.subarray(told - first, until - first));
      told = Math.max(told, until);
    };
    for (const span of spans) {
      if (span.start >= safe) break;
      plain(span.start);
      if (!span.isShown && span.end > told) parts.push(labels[span.owner] ?? Buffer.alloc(0));
      span.isShown = true;
      told = Math.max(told, Math.min(span.end, safe));
    }
    plain(safe);
    spans = spans.filter((span) => span.end > safe);
    pending = pending.subarray(told - first);
    return Buffer.concat(parts);
  }

  return {
    write(chunk) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      for (const byte of chunk) {
        if (state !== 0 || child(0, byte) !== 0) take(byte);
        position += 1;
        if (byte === LF && (depth[state] ?? 0) < MIN_SECRET_LENGTH) released = position;
      }
      return tellUntil(Math.max(told, released, heldFrom()));
    },
    end(isCut) {
      if (isCut && (depth[state] ?? 0) >= MIN_SECRET_LENGTH) {
        addSpan({ start: heldFrom(), end: position, owner: owner[state] ?? 0, isShown: false });
      }
      state = 0;
      return tellUntil(position);
    },
  };
}

/** One automaton for all needles (Aho and Corasick, 1975), which reads each byte once. */
function createNeedleTree(secrets: Iterable<string>[]): NeedleTree {
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

  // Breadth first, so that fallback states are complete.
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

/** Pieces of 32 to 66 bytes on character borders. Pieces of mostly spaces would match everywhere. */
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
