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
