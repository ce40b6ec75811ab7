import { join } from "node:path";
import { loadKeyFile, parseSecret } from "./load-key-file";

/** Name of the file in the folder of the instance's keys. */
export const SEALING_KEY_FILE = "secrets.key";

const LOSS =
  "Without a backup: remove it and start with SKILLGATE_ACCEPT_LOST_KEYS=true; the server makes a new key, and stored credentials and tokens have to be set again.";

/** The key that seals stored secrets: `secrets.key` in the folder of the instance's keys, made when there is none. */
export function loadSealingKey(keyFolder: string): Promise<string> {
  return loadKeyFile(join(keyFolder, SEALING_KEY_FILE), LOSS);
}

/** The sealing key in a file's text. Throws an error that names the file and the remedy. */
export function parseSealingKey(text: string, file: string): string {
  return parseSecret(text, file, LOSS);
}
