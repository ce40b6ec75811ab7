import type { KeyObject } from "node:crypto";
import { type ChainPosition, GENESIS, hashEvent, type StoredEvent } from "./chain-events";
import type { BrokenEvent } from "./schema";

/** How far around its number an event's original number is searched, to explain what happened. */
const NEIGHBOURS = 100;
export type ChainCheck = {
  readonly last: ChainPosition;
  readonly checked: number;
  /** Checks the next events; returns the first invalid one. Do not call it again after that. */
  feed(rows: readonly StoredEvent[]): BrokenEvent | null;
  /** Call once after the last events. */
  end(): BrokenEvent | null;
  /** Continues after events that are not available, as a signed manifest describes them. */
  skip(position: ChainPosition): void;
};

type Options = {
  key: KeyObject;
  /** Signed hashes by event number. */
  signed: ReadonlyMap<number, string>;
  /** Negative control of a test: accepts every event. */
  skipChecks?: boolean;
};

/** Checks a chain from its beginning, one event behind, so that the following event helps to explain a problem. Pure. */
export function checkChain({ key, signed, skipChecks = false }: Options): ChainCheck {
  let last: ChainPosition = { seq: 0, hash: GENESIS };
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
    if (seq < expected) return broken(seq, "inserted", "was added at a number where no event belongs");
    if (seq !== expected) return missing(expected, seq - 1);
    const isOwn = hashEvent(key, row, row.prevHash) === row.hash;
    if (!isOwn || row.prevHash !== last.hash) return explain(key, { last, row, next, isOwn });
    const wanted = signed.get(seq);
    if (wanted !== undefined && wanted !== row.hash) {
      return broken(seq, "replaced", "is not the event that a signed head names: events were removed and replaced");
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
    skip: (position) => {
      last = position;
    },
  };
}

type Case = { last: ChainPosition; row: StoredEvent; next: StoredEvent | null; isOwn: boolean };

function explain(key: KeyObject, { last, row, next, isOwn }: Case): BrokenEvent {
  const seq = last.seq + 1;
  if (isOwn) return broken(seq, "replaced", "does not follow the event before it: one of the two was replaced");
  const original = originalSeq(key, row);
  if (original === null) {
    const isBetween = next !== null && next.prevHash === last.hash;
    return isBetween
      ? broken(seq, "inserted", "was added without the key, and the following events were renumbered")
      : broken(seq, "edited", "was changed after it was written, or was added without the key");
  }
  const shift = original - seq;
  const nextOriginal = next === null ? null : originalSeq(key, next);
  if (shift > 0 && (next === null || nextOriginal === original + 1)) {
    return broken(
      seq,
      "missing",
      `is missing: the following events were renumbered, and event ${original} has its number`,
    );
  }
  return broken(seq, "reordered", `is out of order: event ${original} has its number`);
}

/** The number near the stored one with which the hash is valid; null when there is none. */
function originalSeq(key: KeyObject, row: StoredEvent): number | null {
  const seq = Number(row.seq);
  for (let distance = 0; distance <= NEIGHBOURS; distance++) {
    for (const candidate of distance === 0 ? [seq] : [seq + distance, seq - distance]) {
      if (hashEvent(key, { ...row, seq: candidate }, row.prevHash) === row.hash) return candidate;
    }
  }
  return null;
}

function missing(from: number, to: number): BrokenEvent {
  return broken(from, "missing", from === to ? "is missing" : `is missing, and so are all events up to ${to}`);
}

export function broken(seq: number, problem: BrokenEvent["problem"], message: string): BrokenEvent {
  return { seq, problem, message: `Event ${seq} ${message}.` };
}
