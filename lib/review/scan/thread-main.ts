import { parentPort } from "node:worker_threads";
import { rulesVersion } from "@/lib/review/rules/all-rules";
import type { ScanJob, ThreadMessage } from "./scan-files";
import { scanSkill } from "./scan-skill";

/** Entry point of the scan thread, bundled by `bin/build-scan-thread.mjs`. */
function serveJobs(port: NonNullable<typeof parentPort>): void {
  const post = (message: ThreadMessage) => port.postMessage(message);
  port.on("message", ({ id, files, unread }: ScanJob) => {
    try {
      const result = scanSkill(files, { unread, onFile: (path) => post({ type: "file", id, path }) });
      post({ type: "done", id, result });
    } catch (error) {
      post({ type: "failed", id, message: error instanceof Error ? error.message : String(error) });
    }
  });
  post({ type: "ready", rulesVersion: rulesVersion() });
}

if (parentPort === null) throw new Error("This program runs as a thread of the scan.");
serveJobs(parentPort);
