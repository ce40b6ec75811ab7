import type { DryRun, Run } from "@/lib/runner/schema";
import { askForRun } from "./ask-for-run";
import { getRun } from "./get-run";

export type StartedRun = { run: Run } | { dryRun: DryRun };

/** The same as `askForRun`, answering the run as it is then. */
export async function startRun(...asked: Parameters<typeof askForRun>): Promise<StartedRun> {
  const answer = await askForRun(...asked);
  return "dryRun" in answer ? answer : { run: await getRun(asked[0], answer.runId) };
}
