import { AppError } from "@/lib/core/errors";
import { howToActivate } from "@/lib/skills/version-access";

type Decided = Parameters<typeof howToActivate>[1] & {
  decisions: { decision: string; actorName: string; createdAt: Date }[];
};

/** Tells a person who came too late who decided and when, and what to do with an approved version that is not active. */
export function decidedAlready(skill: Parameters<typeof howToActivate>[0], version: Decided): AppError {
  const { digest, state, decisions } = version;
  const last = decisions.findLast(({ decision }) => decision !== "activate");
  const who = last ? `: ${last.actorName} decided on it at ${last.createdAt.toISOString()}` : "";
  const what = `Version ${digest.slice(0, 7)} is ${state.replace("_", " ")} already${who}.`;
  return new AppError("conflict", `${what}${howToActivate(skill, version)}`);
}
