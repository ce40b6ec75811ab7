import { AppError } from "@/lib/core/errors";

type Decided = { digest: string; state: string; decisions: { actorName: string; createdAt: Date }[] };

/** Tells somebody who came too late who decided, and when. */
export function decidedAlready({ digest, state, decisions }: Decided): AppError {
  const last = decisions.at(-1);
  const who = last ? `: ${last.actorName} decided on it at ${last.createdAt.toISOString()}` : "";
  return new AppError("conflict", `Version ${digest.slice(0, 7)} is ${state.replace("_", " ")} already${who}.`);
}
