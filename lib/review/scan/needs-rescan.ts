import { rulesVersion } from "./rules-version";

/** Whether what was scanned with these rules (null: never scanned) is due to be scanned again. */
export function needsRescan(scannedWith: string | null): boolean {
  return scannedWith !== rulesVersion();
}
