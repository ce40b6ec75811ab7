import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import type { Sink } from "./sink";

/** Folder, beside the instance's keys, that events are forwarded into. */
export const FORWARD_FOLDER = "audit-forward";

/** Appends events as NDJSON to a file of this name, opened anew each time so that it can be rotated away. */
export function fileSink(keyFolder: string, name: string): Sink {
  const folder = join(keyFolder, FORWARD_FOLDER);
  return {
    name: "file",
    send: async (events) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const handle = await open(join(folder, name), "a", 0o600);
      try {
        await handle.writeFile(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}
