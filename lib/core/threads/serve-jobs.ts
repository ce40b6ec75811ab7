import { parentPort, type Transferable } from "node:worker_threads";
import type { ThreadMessage } from "./open-thread";

type Done<Result> = { result: Result; transfer?: Transferable[] };

/** The thread's side of `openThread`: executes one job after another. `onPart` names the part that begins. */
export function serveJobs<Job, Result>(
  version: string,
  work: (job: Job, onPart: (part: string) => void) => Done<Result> | Promise<Done<Result>>,
): void {
  if (parentPort === null) throw new Error("This program runs as a thread of the server.");
  const port = parentPort;
  const post = (message: ThreadMessage<Result>, transfer: Transferable[] = []) => port.postMessage(message, transfer);
  port.on("message", async ({ id, job }: { id: number; job: Job }) => {
    try {
      const { result, transfer } = await work(job, (part) => post({ type: "at", id, part }));
      post({ type: "done", id, result }, transfer);
    } catch (error) {
      post({ type: "failed", id, message: error instanceof Error ? error.message : String(error) });
    }
  });
  post({ type: "ready", version });
}
