import { existsSync } from "node:fs";
import { showProgress } from "../prepare/progress.mjs";
import { canUseApt, installWithApt } from "./install-with-apt.mjs";

/** Installs bubblewrap where it may. The tests of the sandbox are skipped where it is missing, so this never fails. */
export async function ensureBubblewrap() {
  if (process.platform !== "linux" || existsSync("/usr/bin/bwrap") || existsSync("/bin/bwrap")) return;
  if (!canUseApt()) return;
  await showProgress("Installing bubblewrap", () => installWithApt("bubblewrap")).catch(() => {});
}
