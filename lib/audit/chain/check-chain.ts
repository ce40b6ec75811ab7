import type { KeyObject } from "node:crypto";
import { GENESIS, hashEvent, type StoredEvent } from "./chain-events";
import type { BrokenEvent } from "./schema";

/** How far from its place an event is looked for, to say what happened to it. */
const NEIGHBOURS = 100;

type Place = { seq: number; hash: string };

export type ChainCheck = {
  /** The last event that holds. */
  readonly last: Place;
  readonly checked: number;
  /** Checks events that follow; answers the first that does not hold. Nothing may be fed after that. */
  feed(rows: readonly StoredEvent[]): BrokenEvent | null;
  /** To be called once after the last events. */
  end(): BrokenEvent | null;
  /** Goes on behind events that are not here, on the word of a signed manifest. */
  skip(place: Place): void;
};

type Options = {
  key: KeyObject;
  /** Hashes that were signed, by event. */
  signed: ReadonlyMap<number, string>;
  /** For the control of a test: looks at every event and objects to nothing. */
  skipChecks?: boolean;
};

/** Checks a chain from its beginning, with one event held back so that the one after it can tell what is wrong. Pure. */
export function checkChain({ key, signed, skipChecks = false }: Options): ChainCheck {
  let last: Place = { seq: 0, hash: GENESIS };
  let held: StoredEvent | null = null;
  let checked = 0;

  function settle(row: StoredEvent, next: StoredEvent | null): BrokenEvent | null {
    checked += 1;
    const expected = last.seq + 1;
    const seq = Number(row.seq);
    if (skipChecks) {
      last = { seq, hash: String(row.hash) };
      return null;
    }
    if (seq !== expected) return seq < expected ? foreign(row) : missing(expected, seq - 1);
    const isOwn = hashEvent(key, row, row.prevHash) === row.hash;
    if (!isOwn || row.prevHash !== last.hash) return explain(key, { last, row, next, isOwn });
    const wanted = signed.get(seq);
    if (wanted !== undefined && wanted !== row.hash) {
      return broken(
        seq,
        "replaced",
        "stands where a signed head names another event: events were taken away and others written",
      );
    }
    last = { seq, hash: String(row.hash) };
    return null;
  }

  function feed(rows: readonly StoredEvent[]): BrokenEvent | null {
    for (const row of rows) {
      const found: BrokenEvent | null = held === null ? null : settle(held, row);
      if (found !== null) return found;
      held = row;
    }
    return null;
  }

  return {
    get last() {
      return last;
    },
    get checked() {
      return checked;
    },
    feed,
    end: () => {
      const row = held;
      held = null;
      return row === null ? null : settle(row, null);
    },
    skip: (place) => {
      last = place;
    },
  };
}

type Case = { last: Place; row: StoredEvent; next: StoredEvent | null; isOwn: boolean };

/** What was done to the first event that does not hold, as far as it and the next one tell. */
function explain(key: KeyObject, { last, row, next, isOwn }: Case): BrokenEvent {
  const seq = last.seq + 1;
  if (isOwn) return broken(seq, "replaced", "does not follow the event before it: one of the two was exchanged");
  const original = originalSeq(key, row);
  if (original === null) {
    const isBetween = next !== null && next.prevHash === last.hash;
    return isBetween
      ? broken(seq, "inserted", "was added without the key, and what followed was numbered anew")
      : broken(seq, "edited", "was changed after it was written, or added without the key");
  }
  const shift = original - seq;
  const nextOriginal = next === null ? null : originalSeq(key, next);
  if (shift > 0 && (next === null || nextOriginal === original + 1)) {
    return broken(
      seq,
      "missing",
      `is missing: what followed was numbered anew, and event ${original} stands in its place`,
    );
  }
  return broken(seq, "reordered", `is not in its place: event ${original} stands there`);
}

/** The number under which it would hold, near the one it has. */
function originalSeq(key: KeyObject, row: StoredEvent): number | null {
  const seq = Number(row.seq);
  for (let distance = 0; distance <= NEIGHBOURS; distance++) {
    for (const candidate of distance === 0 ? [seq] : [seq + distance, seq - distance]) {
      if (hashEvent(key, { ...row, seq: candidate }, row.prevHash) === row.hash) return candidate;
    }
  }
  return null;
}

function foreign(row: StoredEvent): BrokenEvent {
  return broken(Number(row.seq), "inserted", "was added where no event belongs");
}

function missing(from: number, to: number): BrokenEvent {
  return broken(from, "missing", from === to ? "is missing" : `is missing, and so are those up to ${to}`);
}

export function broken(seq: number, problem: BrokenEvent["problem"], message: string): BrokenEvent {
  return { seq, problem, message: `Event ${seq} ${message}.` };
}
