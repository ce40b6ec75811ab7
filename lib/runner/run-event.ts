import { parseTraceParent } from "@/lib/core/trace-context";

/** A run with what its events tell of it. */
export type TellingRun = {
  id: string;
  callerId: string;
  callerName?: string;
  skillId: string;
  versionDigest: string;
  class: string;
  skill: { name: string; toolName: string };
};

/** What all events of a run have in common. */
export function eventOf(run: TellingRun) {
  return {
    concerns: run.callerId,
    ...(run.callerName === undefined ? {} : { onBehalfOf: { id: run.callerId, name: run.callerName } }),
    target: { kind: "run", id: run.id, name: run.skill.name },
    skillId: run.skillId,
    versionDigest: run.versionDigest,
    runId: run.id,
    tool: run.skill.toolName,
    class: run.class,
  };
}

/** What ties the events of a run to the request that asked for it: that request's trace, or before there were any, its id. */
export function traceIdOf(run: { requestId?: string | null; traceParent?: string | null }): string | null {
  return parseTraceParent(run.traceParent)?.traceId ?? run.requestId ?? null;
}
