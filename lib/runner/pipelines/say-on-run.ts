import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";

const INSERT = query(`INSERT INTO "RunEvent" ("runId", "seq", "at", "stream", "text") VALUES (?, ?, ?, 'system', ?)`);
const LAST = query<{ last: number | null }>(`SELECT MAX("seq") AS "last" FROM "RunEvent" WHERE "runId" = ?`);

/** Adds a line of the server's own to what a run says. Only for runs that no worker holds: a worker counts by itself. */
export async function sayOnRun(ctx: Ctx, runId: string, text: string): Promise<void> {
  const last = (await sqlOf(ctx).get(LAST, runId))?.last ?? 0;
  await ctx.database.writeSql.run(INSERT, runId, last + 1, ctx.now(), text);
}
