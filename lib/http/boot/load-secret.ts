import { join } from "node:path";
import { loadKeyFile, parseSecret } from "@/lib/core/load-key-file";

/** Name of the file in the folder of the instance's keys. */
export const SECRET_FILE = "auth.secret";

const LOSS = "Without a backup: remove it; the server makes a new secret, and everybody has to sign in again.";

/** The secret that signs sessions: read from `auth.secret` in the data directory, which only the owner may read; made at the first start. */
export function loadSecret(dataDir: string): Promise<string> {
  return loadKeyFile(join(dataDir, SECRET_FILE), LOSS);
}

/** The secret in a file's text. Throws an error that names the file and the remedy. */
export function parseAuthSecret(text: string, file: string): string {
  return parseSecret(text, file, LOSS);
}
