import type { KeyObject } from "node:crypto";
import { type ChainPosition, FIRST_CHAIN, GENESIS, hashEvent, placeOf, type StoredEvent } from "./chain-events";
import type { BrokenEvent } from "./schema";

/** How far around its number an event's original number is searched, to explain what happened. */
const NEIGHBOURS = 100;

type Place = { place: number; seq: number; hash: string };

export type ChainCheck = {
  /** Number and hash of the newest event. */
  readonly last: { seq: number; hash: string };
  readonly checked: number;
  /** Checks the next events, by number; returns the first invalid one. Do not call it again after that. */
  feed(rows: readonly StoredEvent[]): BrokenEvent | null;
  /** Call once after the last events. */
  end(): BrokenEvent | null;
  chains(): number[];
  /** The last event of a chain; before its first one, place 0. */
  of(chain: number): Place;
  /** Continues a chain after events that are not available, as a signed manifest describes them. */
  skip(position: ChainPosition & { seq: number }): void;
};

type Options = {
  key: KeyObject;
  /** Signed hashes by `positionKey`. */
  signed: ReadonlyMap<string, string>;
  /** Each chain may begin at its first event here: what was before is unknown. */
  isExcerpt?: boolean;
  /** Negative control of a test: accepts every event. */
  skipChecks?: boolean;
};

export function positionKey({ chain, place }: Pick<ChainPosition, "chain" | "place">): string {
  return `${chain} ${place}`;
}

/**
 * Checks chains from their beginnings, with events in the order of their numbers, one event behind, so that the following
 * event helps to explain a problem. Pure.
 */
export function checkChain({ key, signed, isExcerpt = false, skipChecks = false }: Options): ChainCheck {
  const chains = new Map<number, Place>();
  let newest = { seq: 0, hash: GENESIS };
  let held: StoredEvent | null = null;
  let checked = 0;

  function settle(row: StoredEvent, next: StoredEvent | null): BrokenEvent | null {
    checked += 1;
    const { chain, place } = placeOf(row);
    const seq = Number(row.seq);
    const isFirst = isExcerpt && !chains.has(chain);
    const last = isFirst ? { place: place - 1, seq: seq - 1, hash: String(row.prevHash) } : of(chain);
    if (!skipChecks) {
      const found = inspect(row, { chain, place, seq, last, next });
      if (found !== null) return found;
    }
    newest = { seq, hash: String(row.hash) };
    chains.set(chain, { place, ...newest });
    return null;
  }

  function inspect(row: StoredEvent, { chain, place, seq, last, next }: Inspected): BrokenEvent | null {
    const expected = last.place + 1;
    if (!(place >= expected)) return broken(seq, "inserted", "was added at a number where no event belongs");
    if (place > expected) return missing(chain, { from: last, to: place, seq });
    if (seq <= newest.seq) return broken(seq, "reordered", `is out of order: it follows event ${newest.seq}`);
    const isOwn = hashEvent(key, row, row.prevHash) === row.hash;
    if (!isOwn || row.prevHash !== last.hash) {
      const follows = next !== null && placeOf(next).chain === chain ? next : null;
      return explain(key, { last, row, next: follows, isOwn });
    }
    const wanted = signed.get(positionKey({ chain, place }));
    return wanted === undefined || wanted === row.hash
      ? null
      : broken(seq, "replaced", "is not the event that a signed head names: events were removed and replaced");
  }

  function of(chain: number): Place {
    return chains.get(chain) ?? { place: 0, seq: 0, hash: GENESIS };
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
      return newest;
    },
    get checked() {
      return checked;
    },
    chains: () => [...chains.keys()],
    of,
    feed,
    end: () => {
      const row = held;
      held = null;
      return row === null ? null : settle(row, null);
    },
    skip: ({ chain, place, seq, hash }) => {
      chains.set(chain, { place, seq, hash });
      if (seq > newest.seq) newest = { seq, hash };
    },
  };
}

type Inspected = { chain: number; place: number; seq: number; last: Place; next: StoredEvent | null };

type Case = { last: Place; row: StoredEvent; next: StoredEvent | null; isOwn: boolean };

function explain(key: KeyObject, { last, row, next, isOwn }: Case): BrokenEvent {
  const seq = Number(row.seq);
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

function missing(chain: number, { from, to, seq }: { from: Place; to: number; seq: number }): BrokenEvent {
  const first = from.seq + 1;
  const count = to - from.place - 1;
  // Without gaps, places tell the numbers of the missing events.
  if (chain === FIRST_CHAIN && to === seq) {
    return broken(first, "missing", count === 1 ? "is missing" : `is missing, and so are all events up to ${seq - 1}`);
  }
  const what = count === 1 ? "An event of its chain is missing" : `${count} events of its chain are missing`;
  const after = from.place === 0 ? "" : `, after event ${from.seq}`;
  return { seq: after === "" ? seq : first, problem: "missing", message: `${what} before event ${seq}${after}.` };
}

export function broken(seq: number, problem: BrokenEvent["problem"], message: string): BrokenEvent {
  return { seq, problem, message: `Event ${seq} ${message}.` };
}
