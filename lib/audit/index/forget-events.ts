import { forgetWords } from "@/lib/db/audit-index";
import type { Ctx } from "@/lib/db/context";
import { query } from "@/lib/db/sql";

const FORGET_POSTINGS = query(
  `DELETE FROM "AuditPosting" WHERE "termId" IN (SELECT "id" FROM "AuditTerm") AND "seq" <= ?`,
);
const FORGET_HOURS = query(`DELETE FROM "AuditHour" WHERE "maxSeq" <= ?`);

/**
 * Takes the events up to this number out of the index, in the transaction that deletes them. The hour that they end in
 * keeps its count.
 */
export async function forgetEvents(ctx: Ctx, upTo: number): Promise<void> {
  const sql = ctx.database.writeSql;
  await sql.run(FORGET_POSTINGS, upTo);
  await sql.run(FORGET_HOURS, upTo);
  await forgetWords(sql, upTo);
}
