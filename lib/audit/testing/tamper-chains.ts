import { type KeyObject, randomBytes } from "node:crypto";
import { EVENT_COLUMNS, MOMENTS, placeOf, type StoredEvent } from "../chain/chain-events";
import { parseHeads } from "../chain/heads";
import type { BrokenEvent } from "../chain/schema";
import { verifyChain } from "../chain/verify-chain";
import type { Random } from "./tamper-audit";

type Row = StoredEvent & { seq: number; prevHash: string; hash: string };
/** An audit of several chains that is signed to its end: all events, and the text of the file of signed heads. */
export type ChainsSample = { rows: readonly Row[]; heads: string };
type Change = (sample: ChainsSample, random: Random) => ChainsSample;

/** What somebody who can write the database and the file of heads, but has no key, may do to an audit of several chains. */
export const CHAIN_TAMPERINGS = {
  "edit a column": onRow((row, random) => edited(row, random)),
  "edit the chain": onRow((row, random) => ({ ...row, chain: placeOf(row).chain + upTo(random, 3) })),
  "edit the place": onRow((row, random) => ({ ...row, place: placeOf(row).place + upTo(random, 3) })),
  "edit the number": onRow((row, random) => ({
    ...row,
    seq: row.seq + 0.25 + random() / 2 + Math.floor(random() * 5),
  })),
  "delete an event": (sample, random) => withRows(sample, without(sample.rows, pick(sample.rows, random))),
  "delete an event and renumber its chain": deleteAndRenumber,
  "delete an event and renumber all": deleteAndRenumberAll,
  "add a copy at the end of a chain": addCopy,
  "add a chain": addChain,
  "swap two events": swapTwo,
  "cut the end of a chain": cutChain,
  "cut the end of all chains": cutAll,
  "cut the end of a chain and write it anew": cutAndRewrite,
  "remove a chain": (sample, random) => withRows(sample, otherThan(sample.rows, pickChain(sample.rows, random))),
  "swap two chains": swapChains,
  "move an event to another chain": moveEvent,
  "append a chain to another": appendChain,
  "remove a seal": (sample, random) => onLines(sample, (lines) => lines.toSpliced(inner(lines, random), 1)),
  "swap two seals": (sample, random) =>
    onLines(sample, (lines) => {
      const at = inner(lines, random);
      return lines.with(at, lines[at + 1] ?? "").with(at + 1, lines[at] ?? "");
    }),
  "repeat a seal": (sample, random) => onLines(sample, (lines) => lines.concat(lines[inner(lines, random)] ?? "")),
  "edit a seal": (sample, random) =>
    onLines(sample, (lines) => {
      const at = upTo(random, lines.length) - 1;
      return lines.with(
        at,
        (lines[at] ?? "").replace(/"hash":"(.)/, (_, first) => `"hash":"${first === "0" ? 1 : 0}`),
      );
    }),
  "remove all seals": (sample) => ({ ...sample, heads: "" }),
} as const satisfies Record<string, Change>;

export type ChainTampering = keyof typeof CHAIN_TAMPERINGS;

type Keys = { key: KeyObject; signer: Parameters<typeof parseHeads>[1]; skipChecks?: boolean };

/** The first problem that a verification of the whole audit finds; null for none. */
export async function verifySample(
  sample: ChainsSample,
  { key, signer, skipChecks }: Keys,
): Promise<BrokenEvent | null> {
  const heads = skipChecks === true ? {} : { heads: parseHeads(sample.heads, signer) };
  const events = (async function* () {
    yield sample.rows.toSorted((a, b) => a.seq - b.seq);
  })();
  const checks = { skipChecks: skipChecks ?? false, segments: [], folder: null };
  return (await verifyChain({ key, signer, events, ...checks, ...heads })).firstBroken;
}

/** Tampers with a sample `times` times, in turn in each way; returns what a verification said of each. */
export async function tamperChains(
  sample: ChainsSample,
  { times, random, ...keys }: Keys & { times: number; random: Random },
): Promise<{ kind: ChainTampering; found: BrokenEvent | null }[]> {
  const kinds = Object.keys(CHAIN_TAMPERINGS) as ChainTampering[];
  const outcomes = [];
  for (let turn = 0; turn < times; turn++) {
    const kind = kinds[turn % kinds.length] as ChainTampering;
    outcomes.push({ kind, found: await verifySample(CHAIN_TAMPERINGS[kind](sample, random), keys) });
  }
  return outcomes;
}

function upTo(random: Random, most: number): number {
  return 1 + Math.floor(random() * most);
}

function pick(rows: readonly Row[], random: Random): Row {
  return rows[Math.floor(random() * rows.length)] as Row;
}

function pickChain(rows: readonly Row[], random: Random): number {
  const chains = chainsOf(rows);
  return chains[Math.floor(random() * chains.length)] as number;
}

function chainsOf(rows: readonly Row[]): number[] {
  return [...new Set(rows.map((row) => placeOf(row).chain))];
}

function ofChain(rows: readonly Row[], chain: number): Row[] {
  return rows.filter((row) => placeOf(row).chain === chain);
}

function otherThan(rows: readonly Row[], chain: number): Row[] {
  return rows.filter((row) => placeOf(row).chain !== chain);
}

function without(rows: readonly Row[], gone: Row): Row[] {
  return rows.filter((row) => row !== gone);
}

function withRows(sample: ChainsSample, rows: Row[]): ChainsSample {
  return { ...sample, rows };
}

function onRow(change: (row: Row, random: Random) => Row): Change {
  return (sample, random) => {
    const row = pick(sample.rows, random);
    return withRows(sample, without(sample.rows, row).concat(change(row, random)));
  };
}

/** All lines but the first, which begins the file, and the last. */
function inner(lines: readonly string[], random: Random): number {
  return 1 + Math.floor(random() * (lines.length - 2));
}

function onLines(sample: ChainsSample, change: (lines: string[]) => string[]): ChainsSample {
  return { ...sample, heads: `${change(sample.heads.trimEnd().split("\n")).join("\n")}\n` };
}

function edited(row: Row, random: Random): Row {
  const names = [...EVENT_COLUMNS.filter((name) => name !== "seq"), "prevHash", "hash"];
  const name = names[Math.floor(random() * names.length)] as keyof Row;
  const value = row[name];
  if (MOMENTS.has(name)) return { ...row, [name]: new Date(upTo(random, 1e12)).toISOString() };
  return { ...row, [name]: typeof value === "number" ? value + upTo(random, 9) : `${value ?? ""}x` };
}

function placed(row: Row, place: number, chain = placeOf(row).chain): Row {
  return { ...row, chain, place };
}

function deleteAndRenumber(sample: ChainsSample, random: Random): ChainsSample {
  const gone = pick(sample.rows, random);
  const { chain, place } = placeOf(gone);
  const rows = without(sample.rows, gone).map((row) => {
    const at = placeOf(row);
    return at.chain === chain && at.place > place ? placed(row, at.place - 1) : row;
  });
  return withRows(sample, rows);
}

function deleteAndRenumberAll(sample: ChainsSample, random: Random): ChainsSample {
  const gone = pick(sample.rows, random);
  const rows = deleteAndRenumber(
    { ...sample, rows: sample.rows },
    () => sample.rows.indexOf(gone) / sample.rows.length,
  ).rows;
  return withRows(
    sample,
    rows.map((row) => (row.seq > gone.seq ? { ...row, seq: row.seq - 1 } : row)),
  );
}

function forged(row: Row, random: Random): Row {
  return random() < 0.5 ? row : { ...row, hash: randomBytes(32).toString("hex") };
}

function addCopy(sample: ChainsSample, random: Random): ChainsSample {
  const chain = pickChain(sample.rows, random);
  const last = ofChain(sample.rows, chain).at(-1) as Row;
  const copy = placed({ ...pick(sample.rows, random), prevHash: last.hash }, placeOf(last).place + 1, chain);
  return withRows(sample, sample.rows.concat(forged({ ...copy, seq: lastSeq(sample) + 1 }, random)));
}

function addChain(sample: ChainsSample, random: Random): ChainsSample {
  const copies = ofChain(sample.rows, pickChain(sample.rows, random)).slice(0, upTo(random, 5));
  const chain = Math.max(...chainsOf(sample.rows)) + 1;
  const seq = lastSeq(sample);
  const added = copies.map((row, index) =>
    forged(placed({ ...row, seq: seq + 1 + index }, placeOf(row).place, chain), random),
  );
  return withRows(sample, sample.rows.concat(added));
}

function lastSeq({ rows }: ChainsSample): number {
  return Math.max(...rows.map(({ seq }) => seq));
}

function swapTwo(sample: ChainsSample, random: Random): ChainsSample {
  const one = pick(sample.rows, random);
  const two = pick(without(sample.rows, one), random);
  const rest = without(without(sample.rows, one), two);
  if (random() < 0.5) return withRows(sample, rest.concat({ ...one, seq: two.seq }, { ...two, seq: one.seq }));
  const [a, b] = [placeOf(one), placeOf(two)];
  return withRows(sample, rest.concat({ ...one, ...b, seq: two.seq }, { ...two, ...a, seq: one.seq }));
}

function cutChain(sample: ChainsSample, random: Random): ChainsSample {
  const own = ofChain(sample.rows, pickChain(sample.rows, random));
  const gone = new Set(own.slice(-upTo(random, random() < 0.5 ? 1 : own.length)));
  return withRows(
    sample,
    sample.rows.filter((row) => !gone.has(row)),
  );
}

function cutAll(sample: ChainsSample, random: Random): ChainsSample {
  return withRows(sample, sample.rows.slice(0, -upTo(random, sample.rows.length)));
}

function cutAndRewrite(sample: ChainsSample, random: Random): ChainsSample {
  const own = ofChain(sample.rows, pickChain(sample.rows, random));
  const from = Math.floor(random() * own.length);
  let prevHash = (own[from] as Row).prevHash;
  const anew = own.slice(from).map((row) => {
    const hash = randomBytes(32).toString("hex");
    const made = { ...row, summary: "nothing of importance", prevHash, hash };
    prevHash = hash;
    return made;
  });
  const gone = new Set(own.slice(from));
  return withRows(sample, sample.rows.filter((row) => !gone.has(row)).concat(anew));
}

function twoChains(sample: ChainsSample, random: Random): [number, number] {
  const one = pickChain(sample.rows, random);
  return [one, pickChain(otherThan(sample.rows, one), random)];
}

function swapChains(sample: ChainsSample, random: Random): ChainsSample {
  const [one, two] = twoChains(sample, random);
  const rows = sample.rows.map((row) => {
    const { chain, place } = placeOf(row);
    return chain === one ? placed(row, place, two) : chain === two ? placed(row, place, one) : row;
  });
  return withRows(sample, rows);
}

function moveEvent(sample: ChainsSample, random: Random): ChainsSample {
  const [from, to] = twoChains(sample, random);
  const moved = pick(ofChain(sample.rows, from), random);
  const { place } = placeOf(moved);
  const rows = without(sample.rows, moved).map((row) => {
    const at = placeOf(row);
    if (at.chain === from && at.place > place) return placed(row, at.place - 1);
    return at.chain === to && row.seq > moved.seq ? placed(row, at.place + 1) : row;
  });
  const before = ofChain(sample.rows, to).filter(({ seq }) => seq < moved.seq).length;
  return withRows(sample, rows.concat(placed(moved, before + 1, to)));
}

function appendChain(sample: ChainsSample, random: Random): ChainsSample {
  const [from, to] = twoChains(sample, random);
  const start = ofChain(sample.rows, to).length;
  const end = lastSeq(sample);
  const rows = sample.rows.map((row) => {
    const { chain, place } = placeOf(row);
    return chain === from ? placed({ ...row, seq: end + place }, start + place, to) : row;
  });
  return withRows(sample, rows);
}
