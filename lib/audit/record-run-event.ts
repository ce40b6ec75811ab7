import { createHmac } from "node:crypto";
import { isPerson } from "@/lib/core/actor";
import { parseTraceParent } from "@/lib/core/trace-context";
import type { Ctx, Tx } from "@/lib/db/context";
import type { Database } from "@/lib/db/database";
import { chainKeyOf } from "./chain/chain-key";
import { type AuditEntry, ownSessionOf, writeEvent } from "./record-event";

const FORMAT = "skillgate-arguments-2";

/** The caller's user id, and the skill's id, or its requested name for an unknown skill. */
type DigestedRun = { callerId: string; skill: string };

export type RecordedRun = {
  id: string;
  skillId: string;
  versionDigest: string;
  class: string;
  /** SHA-256 of the canonical JSON of the arguments. */
  argsDigest: string;
  /** The caller with their role at that time (null for runs of older releases) and session. */
  callerId: string;
  callerName: string;
  callerRole: string | null;
  sessionId: string | null;
  requestId: string | null;
  traceParent: string | null;
  skill: { name: string; toolName: string };
  /** The worker that runs it or is chosen for it; null while undecided. */
  worker: { name: string } | null;
};

type OfRun = "target" | "skillId" | "versionDigest" | "runId" | "tool" | "class" | "device" | "sessionId" | "traceId";
type RunEntry = Omit<AuditEntry, OfRun | "concerns" | "onBehalfOf" | "action"> & {
  action: `run.${string}` | "credential.use";
};

/** When a person acts on the run in another session, that session is recorded too. Needs the open transaction. */
export async function recordRunEvent(_tx: Tx, ctx: Ctx, run: RecordedRun, entry: RunEntry): Promise<void> {
  const ownSession = ownSessionOf(ctx);
  const isElsewhere = run.sessionId !== null && ownSession !== null && ownSession !== run.sessionId;
  await writeEvent(ctx, {
    ...entry,
    target: { kind: "run", id: run.id, name: run.skill.name },
    concerns: run.callerId,
    onBehalfOf: { id: run.callerId, name: run.callerName },
    skillId: run.skillId,
    versionDigest: run.versionDigest,
    runId: run.id,
    tool: run.skill.toolName,
    class: run.class,
    ...(run.worker === null ? {} : { device: run.worker.name }),
    ...(run.sessionId === null ? {} : { sessionId: run.sessionId }),
    // Actions of people have the trace of their own request; those of workers and the server the run's trace.
    traceId: isPerson(ctx.actor) ? null : (parseTraceParent(run.traceParent)?.traceId ?? run.requestId),
    data: {
      ...entry.data,
      callerRole: run.callerRole,
      argumentsDigest: await digestArguments(ctx.database, run.argsDigest, {
        callerId: run.callerId,
        skill: run.skillId,
      }),
      ...(isElsewhere ? { actorSession: ownSession } : {}),
    },
  });
}

export type RefusedRun = {
  asked: string;
  /** Null when the caller cannot see such a skill. */
  skill: { id: string; name: string; toolName: string } | null;
  versionDigest: string | null;
  class: string | null;
  callerRole: string | null;
  device: string | null;
  /** SHA-256 of the canonical JSON of the arguments; null when they were not read. */
  argsDigest: string | null;
};

type RefusedEntry = Omit<AuditEntry, "class" | "versionDigest" | "device">;

/** Records a run that was refused before it was stored. Its caller is the person the event concerns, else the actor. */
export async function recordRefusedRun(_tx: Tx, ctx: Ctx, run: RefusedRun, entry: RefusedEntry): Promise<void> {
  const { skill, callerRole, argsDigest } = run;
  const target = { kind: "skill", id: skill?.id ?? "", name: skill?.name ?? run.asked };
  const callerId = entry.concerns ?? (isPerson(ctx.actor) ? ctx.actor.userId : "");
  const digested = { callerId, skill: skill?.id ?? run.asked };
  await writeEvent(ctx, {
    target,
    ...entry,
    tool: skill?.toolName ?? entry.tool,
    ...(skill === null ? {} : { skillId: skill.id }),
    ...(run.versionDigest === null ? {} : { versionDigest: run.versionDigest }),
    ...(run.class === null ? {} : { class: run.class }),
    ...(run.device === null ? {} : { device: run.device }),
    data: {
      ...entry.data,
      callerRole,
      argumentsDigest: argsDigest === null ? null : await digestArguments(ctx.database, argsDigest, digested),
    },
  });
}

/**
 * Digest of a run's arguments for the audit log: HMAC-SHA-256, in hex, with the audit log's chain key, of the JSON list of this format's
 * name, caller, skill and `argsDigest` (SHA-256 of their canonical JSON, in hex). With a plain digest, readers of an exported
 * event could guess short secrets in the arguments; without caller and skill, any account could test guesses by its own runs.
 */
export async function digestArguments(
  database: Database,
  argsDigest: string,
  { callerId, skill }: DigestedRun,
): Promise<string> {
  return createHmac("sha256", await chainKeyOf(database))
    .update(JSON.stringify([FORMAT, callerId, skill, argsDigest]), "utf8")
    .digest("hex");
}
