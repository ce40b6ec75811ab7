import { join } from "node:path";
import { loadKeyFile } from "@/lib/core/load-key-file";

/** The secret that signs sessions: read from `auth.secret` in the data directory, which only the owner may read; made at the first start. */
export function loadSecret(dataDir: string): Promise<string> {
  return loadKeyFile(join(dataDir, "auth.secret"), "sign everybody out");
}
