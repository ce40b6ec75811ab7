import type { Ctx } from "@/lib/db/context";
import { insertRow } from "@/lib/db/rows";
import { query, sqlOf } from "@/lib/db/sql";

const LAST = query<{ last: number | null }>(`SELECT MAX("seq") AS "last" FROM "RunEvent" WHERE "runId" = ?`);

/** Adds a line of the server's own to what a run says. Only for runs that no worker holds: a worker counts by itself. */
export async function sayOnRun(ctx: Ctx, runId: string, text: string): Promise<void> {
  const last = (await sqlOf(ctx).get(LAST, runId))?.last ?? 0;
  await insertRow(ctx.database.writeSql, "RunEvent", { runId, seq: last + 1, at: ctx.now(), stream: "system", text });
}
