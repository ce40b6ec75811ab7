import type { NeedleTree } from "./needle-tree";
import { MIN_SECRET_LENGTH } from "./secret-forms";

export type RedactingStream = {
  /** What can be said of all that was written so far. At most the longest needle is held back. */
  write(chunk: Buffer): Buffer;
  /** What was held back. `isCut`: more than a few bytes of a secret at the end are one too. */
  end(isCut: boolean): Buffer;
};

type Span = { start: number; end: number; owner: number; isShown: boolean };

const LF = 10;
const CR = 13;

/**
 * Finds needles across the borders of chunks. Line ends are looked over, since encoders break their lines wherever they
 * like. A line that ends with the first few bytes of a needle goes out all the same: logs would be late for no reason.
 */
export function redactStream(tree: NeedleTree, labels: Buffer[]): RedactingStream {
  const { child, fallback, depth, found, owner, isLeaf } = tree;
  /** Where the last bytes that count stood, in a ring. Positions count from the beginning of the stream. */
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
