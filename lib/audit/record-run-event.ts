import { createHmac } from "node:crypto";
import { isPerson } from "@/lib/core/actor";
import { parseTraceParent } from "@/lib/core/trace-context";
import type { Ctx, Tx } from "@/lib/db/context";
import type { Database } from "@/lib/db/database";
import { chainKeyOf } from "./chain/chain-key";
import { type AuditEntry, ownSessionOf, writeEvent } from "./record-event";

const FORMAT = "skillgate-arguments-2";

/** Whose run it is, by the id of the user, and of which skill: its id, or the name that was asked for where there is none. */
type DigestedRun = { callerId: string; skill: string };

/** A run with all that each of its events carries; an event of a run cannot be recorded with less. */
export type RecordedRun = {
  id: string;
  skillId: string;
  versionDigest: string;
  class: string;
  /** SHA-256 of the canonical JSON of its arguments. */
  argsDigest: string;
  /** Who asked for it, in which role then (null for runs of older releases) and in which session. */
  callerId: string;
  callerName: string;
  callerRole: string | null;
  sessionId: string | null;
  requestId: string | null;
  traceParent: string | null;
  skill: { name: string; toolName: string };
  /** The worker that has it, or that it is meant for; null while that is open. */
  worker: { name: string } | null;
};

type OfRun = "target" | "skillId" | "versionDigest" | "runId" | "tool" | "class" | "device" | "sessionId" | "traceId";
type RunEntry = Omit<AuditEntry, OfRun | "concerns" | "onBehalfOf" | "action"> & {
  action: `run.${string}` | "credential.use";
};

/**
 * Adds an event of a run, in the transaction of the change: with its skill, tool, class, device, the session and the role of
 * the caller, and the keyed digest of its arguments. A person who acts on it in another session is found by that one too.
 */
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
    traceId: isPersonal(ctx) ? null : (parseTraceParent(run.traceParent)?.traceId ?? run.requestId),
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

/** What a person does has the trace of their own request; what workers and the server do, that of the run. */
function isPersonal({ actor }: Ctx): boolean {
  return actor.kind === "user" || actor.kind === "token";
}

/** A run that was asked for and refused, as far as it is known. */
export type RefusedRun = {
  /** The name or id of the skill that was asked for. */
  asked: string;
  /** Null when the caller sees no such skill. */
  skill: { id: string; name: string; toolName: string } | null;
  versionDigest: string | null;
  class: string | null;
  callerRole: string | null;
  /** The worker that was named. */
  device: string | null;
  /** SHA-256 of the canonical JSON of the arguments; null when they were not read. */
  argsDigest: string | null;
};

type RefusedEntry = Omit<AuditEntry, "class" | "versionDigest" | "device">;

/**
 * Adds an event of a run that was asked for and did not come to be, with as much of it as is known. Its caller is who the
 * event concerns, else who acts.
 */
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
 * The digest of a run's arguments for the audit: HMAC-SHA-256, in hex, under the key of the audit's chain, of the JSON list of
 * this format's name, the caller, the skill, and `argsDigest` (SHA-256 of their canonical JSON, in hex). A plain digest would
 * let readers of an exported or forwarded event try out short secrets among the arguments; one that is not bound to caller
 * and skill would let each account try them out with requests of its own.
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
