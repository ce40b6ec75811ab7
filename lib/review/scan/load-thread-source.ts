import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * The program of the scan thread as text. `npm start` builds it beside the worker's; everywhere else it is built anew when
 * its sources are newer. It is read as text because a bundler must not try to follow the path.
 */
export async function loadThreadSource(): Promise<string> {
  const root = process.cwd();
  if (process.env.NODE_ENV !== "production") {
    await promisify(execFile)(
      process.execPath,
      [join(/* turbopackIgnore: true */ root, "bin", "build-scan-thread.mjs")],
      { cwd: root },
    );
  }
  return readFile(join(/* turbopackIgnore: true */ root, ".build", "scan-thread.cjs"), "utf8");
}
