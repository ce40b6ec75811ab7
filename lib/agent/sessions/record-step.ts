import { newId } from "@/lib/core/ids";
import type { Ctx, Tx } from "@/lib/db/context";
import { insertRow, updateRows } from "@/lib/db/rows";
import type { AgentStepKind } from "./schema";

const MAX_DETAIL_CHARS = 500;

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
  await insertRow(ctx.database.writeSql, "AgentStep", {
    ...{ id, sessionId, at, kind, outcome },
    detail: detail.slice(0, MAX_DETAIL_CHARS),
    skillId: skillId ?? null,
    versionDigest: versionDigest ?? null,
    tool: tool ?? null,
    runId: runId ?? null,
    durationMs: durationMs == null ? null : Math.round(durationMs),
    surface: ctx.request.agentSurface,
  });
  await updateRows(ctx.database.writeSql, "AgentSession", { id: sessionId }, { lastSeenAt: at });
  return id;
}
