import type { FolderJob } from "./folder-reader";
import { readFolder } from "./read-folder";

/** The program of the process that reads skill folders: `bin/build-programs.mjs` bundles it. It ends with its channel. */
function serveJobs(send: NonNullable<typeof process.send>): void {
  process.on("message", async ({ root, folder }: FolderJob) => send(await readFolder(root, folder)));
}

if (process.send === undefined) throw new Error("This program is started by a worker.");
serveJobs(process.send.bind(process));
