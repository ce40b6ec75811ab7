import { recordEvent } from "@/lib/audit/record-event";
import { newId } from "@/lib/core/ids";
import type { Ctx, Tx } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import { query } from "@/lib/db/sql";
import type { AgentStepKind } from "./schema";

const MAX_DETAIL_CHARS = 500;

const INSERT = query(
  `INSERT INTO "AgentStep" ("id", "sessionId", "at", "kind", "outcome", "detail", "skillId", "versionDigest", "tool",
     "runId", "durationMs", "surface") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
const UPDATE_LAST_SEEN = query(`UPDATE "AgentSession" SET "lastSeenAt" = ? WHERE "id" = ?`);

export type NewStep = {
  sessionId: string;
  kind: AgentStepKind;
  outcome?: "ok" | "refused" | "failed";
  detail: string;
  skillId?: string | null;
  versionDigest?: string | null;
  tool?: string | null;
  runId?: string | null;
  durationMs?: number | null;
};

/** Adds a step to a session’s trace, in the transaction of the recorded action; returns its id. Fails for a known `id`. */
export async function recordStep(_tx: Tx, ctx: Ctx, step: NewStep, id = newId()): Promise<string> {
  const at = ctx.now();
  const { sessionId, kind, outcome = "ok", detail, skillId, versionDigest, tool, runId, durationMs } = step;
  await ctx.database.writeSql.run(
    INSERT,
    ...[id, sessionId, at, kind, outcome, detail.slice(0, MAX_DETAIL_CHARS), skillId ?? null, versionDigest ?? null],
    ...[tool ?? null, runId ?? null, durationMs == null ? null : Math.round(durationMs)],
    ctx.request.agentSurface ?? "http",
  );
  await ctx.database.writeSql.run(UPDATE_LAST_SEEN, at, sessionId);
  return id;
}

/** Adds a step and an event for a read-only tool, in one transaction. */
export async function recordRead(
  tx: Tx,
  ctx: Ctx,
  session: AgentSession,
  { args, ...step }: Omit<NewStep, "sessionId" | "tool"> & { tool: string; args?: unknown },
): Promise<void> {
  await recordStep(tx, ctx, { ...step, sessionId: session.id });
  await recordEvent(tx, ctx, {
    action: "agent.read",
    summary: `called ${step.tool}: ${step.detail}`,
    target: { kind: "agent-session", id: session.id, name: session.client },
    sessionId: session.id,
    tool: step.tool,
    ...(step.skillId ? { skillId: step.skillId } : {}),
    ...(step.versionDigest ? { versionDigest: step.versionDigest } : {}),
    ...(args === undefined ? {} : { arguments: args }),
  });
}
