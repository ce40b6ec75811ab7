import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";

/** Folder for runs of the local worker: outside the data directory, which sandboxes of other users cannot enter. */
export function workDirFor(dataDir, env) {
  if (env.SKILLGATE_WORK_DIR) return path.resolve(env.SKILLGATE_WORK_DIR);
  const name = createHash("sha256").update(path.resolve(dataDir)).digest("hex").slice(0, 16);
  return path.join(tmpdir(), `skillgate-${name}`);
}
