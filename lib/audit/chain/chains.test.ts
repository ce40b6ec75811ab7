import { createSecretKey, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadSigningKey } from "@/lib/core/signing-key";
import { type Random, seededRandom } from "../testing/tamper-audit";
import { CHAIN_TAMPERINGS, type ChainsSample, tamperChains, verifySample } from "../testing/tamper-chains";
import { verifyExport } from "../verify-folder";
import { GENESIS, hashEvent } from "./chain-events";
import { appendHead, headsFileOf } from "./heads";

const folder = mkdtempSync(join(tmpdir(), "skillgate-chains-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const key = createSecretKey(randomBytes(32));
const signer = await loadSigningKey(folder);
const AT = new Date("2026-11-23T10:00:00.000Z");

/**
 * Processes that write at random, each to its chain: numbers are given in order, those of undone transactions are left
 * out, and now and then all chains are sealed together, at last at the end.
 */
async function writeAudit(
  random: Random,
  { chains, events }: { chains: number; events: number },
): Promise<ChainsSample> {
  rmSync(headsFileOf(folder), { force: true });
  await appendHead(folder, signer, { seq: 0, hash: GENESIS, at: AT, chains: null });
  const tails = new Map<number, { chain: number; place: number; hash: string }>();
  const rows: ChainsSample["rows"][number][] = [];
  const seal = async () => {
    const last = rows.at(-1);
    if (last) await appendHead(folder, signer, { seq: last.seq, hash: last.hash, at: AT, chains: [...tails.values()] });
  };
  let seq = 0;
  while (rows.length < events || tails.size < chains) {
    seq += random() < 0.1 ? 2 : 1;
    const chain = 1 + Math.floor(random() * chains);
    const { place, hash: prevHash } = tails.get(chain) ?? { place: 0, hash: GENESIS };
    const stored = chain === 1 && place + 1 === seq ? null : place + 1;
    const event = { seq, at: AT.toISOString(), action: "test.note", summary: `noted ${seq}`, data: "{}", count: 1 };
    const row = { ...event, chain, place: stored, prevHash };
    const hash = hashEvent(key, row, prevHash);
    tails.set(chain, { chain, place: place + 1, hash });
    rows.push({ ...row, hash } as unknown as ChainsSample["rows"][number]);
    if (random() < 0.15) await seal();
  }
  for (let turn = 0; turn < 3; turn += 1) await seal();
  return { rows, heads: readFileSync(headsFileOf(folder), "utf8") };
}

test("whatever processes write at random verifies, and so does an export of all of it or of its end", async () => {
  const random = seededRandom(20_261_123);
  for (let turn = 0; turn < 40; turn += 1) {
    const sample = await writeAudit(random, { chains: 1 + (turn % 5), events: 1 + Math.floor(random() * 60) });
    expect(await verifySample(sample, { key, signer })).toBeNull();
    for (const from of [0, Math.floor(random() * sample.rows.length)]) {
      const exported = (async function* () {
        yield [...sample.rows.slice(from)];
      })();
      expect(await verifyExport(key, exported)).toMatchObject({
        firstBroken: null,
        checked: sample.rows.length - from,
      });
    }
  }
});

test("every one of 220 drawn tamperings with several chains is found, and none without the checks", async () => {
  const random = seededRandom(20_261_124);
  const times = Object.keys(CHAIN_TAMPERINGS).length * 10;
  const sample = await writeAudit(random, { chains: 4, events: 80 });
  const outcomes = await tamperChains(sample, { key, signer, times, random });
  expect(outcomes.filter(({ found }) => found === null).map(({ kind }) => kind)).toEqual([]);
  const unchecked = await tamperChains(sample, { key, signer, times, random, skipChecks: true });
  expect(unchecked.filter(({ found }) => found !== null)).toEqual([]);
});

test("the end of each chain that a head does not name yet is counted", async () => {
  const sample = await writeAudit(seededRandom(5), { chains: 3, events: 30 });
  const early = sample.heads.split("\n").slice(0, 2).join("\n");
  expect(await verifySample({ ...sample, heads: `${early}\n` }, { key, signer })).toBeNull();
});

test("an event of the first chain whose place is its number has the format of one chain", () => {
  const event = { seq: 7, at: AT, action: "test.note", summary: "seven" };
  const one = hashEvent(key, event, GENESIS);
  expect(hashEvent(key, { ...event, chain: 1, place: 7 }, GENESIS)).toBe(one);
  for (const other of [{ chain: 2 }, { place: 8 }, { chain: 2, place: 7 }]) {
    expect(hashEvent(key, { ...event, ...other }, GENESIS)).not.toBe(one);
  }
});
