import { fork } from "node:child_process";
import type { SkillFolder, SkillRoot } from "./find-folders";
import type { ReadFolder } from "./read-folder";

export type FolderJob = { root: SkillRoot; folder: SkillFolder };

export type FolderReader = {
  read(job: FolderJob): Promise<ReadFolder>;
  close(): void;
};

/**
 * Starts a process that reads folders, from the file that `bin/build-programs.mjs` makes of `reader-main.ts`. Its memory,
 * with the parsers of every format, is freed with it, because each start of a run costs time in proportion to the worker's
 * memory. It gets no environment. `read` rejects when it ends.
 */
export function openFolderReader(program: string): FolderReader {
  const reader = fork(program, [], {
    env: {} as NodeJS.ProcessEnv,
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // Without a listener an error would end this process; `read` gets the error too.
  reader.on("error", () => {});
  return {
    read: (job) =>
      new Promise((resolve, reject) => {
        const settle = (end: () => void) => {
          reader.removeListener("message", onMessage).removeListener("error", onError).removeListener("exit", onExit);
          end();
        };
        const onMessage = (found: unknown) => settle(() => resolve(found as ReadFolder));
        const onError = (error: Error) => settle(() => reject(error));
        const onExit = () => onError(new Error("The process that reads skills has ended."));
        reader.on("message", onMessage).on("error", onError).on("exit", onExit);
        if (reader.connected) reader.send(job, (error) => error && onError(error));
        else onExit();
      }),
    close: () => {
      if (reader.connected) reader.disconnect();
    },
  };
}
