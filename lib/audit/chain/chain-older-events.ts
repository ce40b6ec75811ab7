import { loadSigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { query } from "@/lib/db/sql";
import { FIRST_CHAIN, GENESIS, hashEvent, readEvents, type StoredEvent } from "./chain-events";
import { chainKeyOf } from "./chain-key";
import { readHeads, writeHead } from "./heads";

const BATCH = 2_000;

const UNCHAINED = query<{ seq: number }>(
  `SELECT "seq" FROM "AuditEvent" WHERE "hash" IS NULL AND "seq" <= ? ORDER BY "seq" DESC LIMIT 1`,
);
const LAST_CHAINED = query<{ seq: number; hash: string }>(
  `SELECT "seq", "hash" FROM "AuditEvent" WHERE "hash" IS NOT NULL ORDER BY "seq" DESC LIMIT 1`,
);
const EXTEND = query(`UPDATE "AuditChain" SET "hash" = ? WHERE "chain" = ${FIRST_CHAIN} AND "seq" = ?`);
const CHAIN = query(`UPDATE "AuditEvent" SET "prevHash" = ?, "hash" = ? WHERE "seq" = ? AND "hash" IS NULL`);

/** Chains older events, before the first new one and only until the first head was signed. Returns how many. */
export async function chainOlderEvents(ctx: Ctx): Promise<number> {
  const { database } = ctx;
  const key = await chainKeyOf(database);
  const heads = await readHeads(database.keyFolder, await loadSigningKey(database.keyFolder));
  const begin = heads?.problem === null && heads.lines.length === 1 ? heads.lines[0] : undefined;
  if (begin === undefined || begin.seq === 0) return 0;
  if ((await database.readSql.get(UNCHAINED, begin.seq)) === undefined) return 0;
  let last = (await database.readSql.get(LAST_CHAINED)) ?? { seq: 0, hash: GENESIS };
  let count = 0;
  for await (const rows of readEvents(database.readSql, { after: last.seq, until: begin.seq, batch: BATCH })) {
    const after = last;
    last = await inTransaction(ctx, () => chain(rows, after));
    count += rows.length;
  }
  await writeHead(database, ctx.now());
  return count;

  async function chain(rows: StoredEvent[], after: { seq: number; hash: string }) {
    let { seq, hash } = after;
    for (const row of rows) {
      const prevHash = hash;
      hash = hashEvent(key, row, prevHash);
      seq = Number(row.seq);
      await database.writeSql.run(CHAIN, prevHash, hash, seq);
    }
    await database.writeSql.run(EXTEND, hash, seq);
    return { seq, hash };
  }
}
