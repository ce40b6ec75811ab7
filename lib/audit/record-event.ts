import type { Actor } from "@/lib/core/actor";
import type { Ctx, Tx } from "@/lib/db/context";
import { insertRow } from "@/lib/db/rows";
import type { AuditOutcome } from "./schema";

/** What a verb tells of itself. `summary` is one sentence without the actor; `data` must hold no secret. */
export type AuditEntry = {
  /** `noun.verb`, stable. */
  action: string;
  summary: string;
  outcome?: AuditOutcome;
  count?: number;
  /** The person it concerns besides the actor; they may see it. */
  concerns?: string | null;
  target?: { kind: string; id: string; name: string };
  skillId?: string;
  versionDigest?: string;
  runId?: string;
  tool?: string;
  class?: string;
  device?: string;
  sessionId?: string;
  data?: Record<string, unknown>;
};

/** Adds one event in the transaction of the change it speaks of: when this fails, the change does not happen. */
export async function recordEvent(_tx: Tx, ctx: Ctx, entry: AuditEntry): Promise<void> {
  const actor = describeActor(ctx.actor);
  await insertRow(ctx.database.writeSql, "AuditEvent", {
    at: ctx.now(),
    ...actor,
    concernsId: entry.concerns ?? null,
    action: entry.action,
    outcome: entry.outcome ?? "ok",
    count: entry.count ?? 1,
    targetKind: entry.target?.kind ?? null,
    targetId: entry.target?.id ?? null,
    targetName: entry.target?.name ?? null,
    skillId: entry.skillId ?? null,
    versionDigest: entry.versionDigest ?? null,
    runId: entry.runId ?? null,
    tool: entry.tool ?? null,
    class: entry.class ?? null,
    sessionId: entry.sessionId ?? (ctx.actor.kind === "user" ? ctx.actor.sessionId : null),
    device: entry.device ?? null,
    address: ctx.request.address,
    requestId: ctx.request.requestId,
    summary: entry.summary,
    data: JSON.stringify(entry.data ?? {}),
  });
}

function describeActor(actor: Actor) {
  switch (actor.kind) {
    case "user":
      return { actorKind: "user", actorId: actor.userId, actorName: actor.name, actorRole: actor.role };
    case "token":
      return {
        actorKind: "token",
        actorId: actor.userId,
        actorName: `${actor.name} (${actor.tokenName})`,
        actorRole: actor.role,
      };
    case "worker":
      return { actorKind: "worker", actorId: actor.workerId, actorName: actor.name, actorRole: null };
    case "system":
      return { actorKind: "system", actorId: null, actorName: actor.name, actorRole: null };
    case "anonymous":
      return { actorKind: "anonymous", actorId: null, actorName: "Somebody not signed in", actorRole: null };
  }
}
