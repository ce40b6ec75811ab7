import { newId } from "@/lib/core/ids";
import type { Ctx, Tx } from "@/lib/db/context";
import { query } from "@/lib/db/sql";
import type { AgentStepKind } from "./schema";

const MAX_DETAIL_CHARS = 500;

const INSERT = query(
  `INSERT INTO "AgentStep" ("id", "sessionId", "at", "kind", "outcome", "detail", "skillId", "versionDigest", "tool",
     "runId", "durationMs", "surface") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
const SEE = query(`UPDATE "AgentSession" SET "lastSeenAt" = ? WHERE "id" = ?`);

export type NewStep = {
  sessionId: string;
  kind: AgentStepKind;
  outcome?: "ok" | "refused" | "failed";
  /** One sentence. */
  detail: string;
  skillId?: string | null;
  versionDigest?: string | null;
  tool?: string | null;
  runId?: string | null;
  durationMs?: number | null;
};

/** Adds a step to a session’s trace, in the transaction of what it speaks of; answers its id. */
export async function recordStep(_tx: Tx, ctx: Ctx, step: NewStep): Promise<string> {
  const id = newId();
  const at = ctx.now();
  const { sessionId, kind, outcome = "ok", detail, skillId, versionDigest, tool, runId, durationMs } = step;
  await ctx.database.writeSql.run(
    INSERT,
    ...[id, sessionId, at, kind, outcome, detail.slice(0, MAX_DETAIL_CHARS), skillId ?? null, versionDigest ?? null],
    ...[tool ?? null, runId ?? null, durationMs == null ? null : Math.round(durationMs)],
    ctx.request.agentSurface ?? "http",
  );
  await ctx.database.writeSql.run(SEE, at, sessionId);
  return id;
}
