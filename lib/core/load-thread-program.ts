import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Returns the program of a worker thread as text, `.build/<name>.cjs`. `npm start` builds it; elsewhere `bin/build-<name>.mjs` builds
 * it again when its sources are newer. Reading it as text keeps bundlers from following the path.
 */
export async function loadThreadProgram(name: string): Promise<string> {
  const root = process.cwd();
  if (process.env.NODE_ENV !== "production") {
    const build = join(/* turbopackIgnore: true */ root, "bin", `build-${name}.mjs`);
    await promisify(execFile)(process.execPath, [build], { cwd: root });
  }
  return readFile(join(/* turbopackIgnore: true */ root, ".build", `${name}.cjs`), "utf8");
}
