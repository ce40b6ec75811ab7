import { join } from "node:path";
import { getEnv } from "@/lib/core/env";
import { loadKeyFile } from "@/lib/core/load-key-file";

/** Under which the token for GitHub is stored, sealed. */
export const TOKEN_NAME = "github.token";

/** The key that seals stored secrets: `secrets.key` in the data directory. */
export function loadSealingKey(): Promise<string> {
  return loadKeyFile(join(getEnv().dataDir, "secrets.key"), "lose the stored secrets");
}
