import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { loadSigningKey } from "@/lib/core/signing-key";
import { inTransaction } from "@/lib/db/context";
import { testDatabase } from "@/lib/testing/test-database";
import { CHAIN_COLUMNS, EVENT_COLUMNS } from "./chain/chain-events";
import { chainKeyOf } from "./chain/chain-key";
import { readHeads, writeHead } from "./chain/heads";
import { recordEvent } from "./record-event";
import { findBroken, runTamperings } from "./testing/run-tamperings";
import { seededRandom, TAMPERINGS } from "./testing/tamper-audit";

async function world(count: number) {
  const { address, person, database, folder } = await testDatabase();
  const { ctx } = await person("admin");
  for (let n = 1; n <= count; n++)
    await inTransaction(ctx, (tx, txCtx) =>
      recordEvent(tx, txCtx, { action: "test.note", summary: `noted ${n}`, data: { n } }),
    );
  return { file: "file" in address ? address.file : "", database, folder };
}

test("the hash covers every column there is", async () => {
  const { file } = await world(0);
  const columns = new Sqlite(file).pragma(`table_info("AuditEvent")`) as { name: string }[];
  expect([...EVENT_COLUMNS, ...CHAIN_COLUMNS].sort()).toEqual(columns.map(({ name }) => name).sort());
});

test("every one of a hundred random tamperings is found, and none by a verification without the chain", async () => {
  const { file, database, folder } = await world(60);
  await writeHead(database, new Date());
  const key = await chainKeyOf(database);
  const heads = await readHeads(folder, await loadSigningKey(folder));
  if (heads === null) throw new Error("no heads");
  const db = new Sqlite(file);
  const sample = { db, key, heads };
  expect(await findBroken(sample)).toBeNull();
  const seed = 20_261_122;
  const outcomes = await runTamperings(sample, { times: 100, random: seededRandom(seed) });
  expect(outcomes.filter(({ found }) => found === null)).toEqual([]);
  expect(new Set(outcomes.map(({ kind }) => kind)).size).toBe(Object.keys(TAMPERINGS).length);
  const blind = await runTamperings({ ...sample, skipChecks: true }, { times: 20, random: seededRandom(seed) });
  expect(blind.filter(({ found }) => found !== null)).toEqual([]);
  expect(await findBroken(sample)).toBeNull();
  db.close();
});
