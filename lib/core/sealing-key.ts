import { join } from "node:path";
import { loadKeyFile } from "./load-key-file";

/** The key that seals stored secrets: `secrets.key` in the folder of the instance's keys, made when there is none. */
export function loadSealingKey(keyFolder: string): Promise<string> {
  return loadKeyFile(join(keyFolder, "secrets.key"), "lose the stored secrets");
}
