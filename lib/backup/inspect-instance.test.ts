import {
  closeSync,
  copyFileSync,
  cpSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Env, parseEnv } from "@/lib/core/env";
import { inspectInstance } from "./inspect-instance";
import { smallInstance } from "./testing/small-instance";
import { writeBackup } from "./write-backup";

const { instance, folder, dataDir, database, end } = await smallInstance();
afterAll(end);
const damaged = join(folder, "damaged");
const file = join(damaged, "skillgate.db");
let sound: Buffer;

beforeAll(async () => {
  await database.writer.reviewKey.create({
    data: { id: "a".repeat(64), publicKey: "-----BEGIN PUBLIC KEY-----", createdAt: new Date() },
  });
  await database.writer.$executeRawUnsafe("PRAGMA wal_checkpoint(TRUNCATE)");
  await writeBackup(instance, { to: join(folder, "damaged-backups"), at: new Date(Date.UTC(2026, 0, 2)) });
  sound = readFileSync(join(dataDir, "skillgate.db"));
});

beforeEach(() => {
  rmSync(damaged, { recursive: true, force: true });
  cpSync(dataDir, damaged, { recursive: true, filter: (name) => !/-(wal|shm)$/.test(name) });
});

function env(more: Record<string, string> = {}): Env {
  const parsed = parseEnv({ SKILLGATE_DATA: damaged, ...more });
  if ("problems" in parsed) throw new Error(parsed.problems.join());
  return parsed.env;
}

test("nothing is wrong with a sound instance, with a new one, and with one that only has an empty file", async () => {
  expect(await inspectInstance(env())).toEqual([]);
  expect(await inspectInstance(env({ SKILLGATE_DATA: join(folder, "new") }))).toEqual([]);
  rmSync(join(damaged, "audit-heads.ndjson"));
  truncateSync(file, 0);
  expect(await inspectInstance(env())).toEqual([]);
});

test.each([
  ["the first bytes", (bytes: Buffer) => bytes.fill(0x41, 0, 100), /it is not a database file/],
  ["a page in the middle", (bytes: Buffer) => bytes.fill(0xff, 40 * 4096, 44 * 4096), /is damaged/],
  ["the second half", (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 8192) * 4096), /is damaged/],
])("damage to %s is reported with the restore command, and nothing is written", async (_what, change, expected) => {
  const bytes = change(Buffer.from(sound));
  writeFileSync(file, bytes);
  const report = (await inspectInstance(env())).join("\n");
  expect(report).toMatch(expected);
  const backup = join(folder, "damaged-backups", "skillgate-20260102T000000Z");
  expect(report).toContain(`npm run restore -- ${backup} --data ${damaged} --replace`);
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test.each(["missing", "empty"])(
  "a database that is %s beside heads that know of events is not begun anew",
  async (what) => {
    if (what === "missing") renameSync(file, `${file}.gone`);
    else truncateSync(file, 0);
    expect((await inspectInstance(env()))[0]).toMatch(
      new RegExp(`is ${what}, but audit-heads.ndjson .* 3 audit events`),
    );
  },
);

test("keys that are gone are named with what they made; the audit log's cannot be done without", async () => {
  rmSync(join(damaged, "approval-signing.key"));
  expect((await inspectInstance(env())).join("\n")).toMatch(
    /approval-signing\.key is missing: approvals[\s\S]*ACCEPT_LOST/,
  );
  expect(await inspectInstance(env({ SKILLGATE_ACCEPT_LOST_KEYS: "true" }))).toEqual([]);
  rmSync(join(damaged, "audit-chain.key"));
  const report = (await inspectInstance(env({ SKILLGATE_ACCEPT_LOST_KEYS: "true" }))).join("\n");
  expect(report).toMatch(/audit-chain\.key is missing/);
  expect(report).not.toMatch(/approval-signing|ACCEPT_LOST/);
});

test("a large database is looked at by a process of its own, with the same answer", async () => {
  const large = 64 * 1024 * 1024;
  copyFileSync(join(dataDir, "skillgate.db"), file);
  truncateSync(file, large);
  const handle = openSync(file, "r+");
  // The header holds the length in pages; no table uses the pages that were added.
  const pages = Buffer.alloc(4);
  pages.writeUInt32BE(large / 4096);
  writeSync(handle, pages, 0, 4, 28);
  closeSync(handle);
  expect(statSync(file).size).toBe(large);
  expect((await inspectInstance(env())).join("\n")).toMatch(/is damaged[\s\S]*never used/);
});
