import { existsSync } from "node:fs";
import { showProgress } from "../prepare/progress.mjs";
import { canUseApt, installWithApt } from "./install-with-apt.mjs";

/** Installs bubblewrap where it may. The tests of the sandbox are skipped where it is missing, so this never fails. */
export async function ensureBubblewrap() {
  if (process.platform !== "linux" || hasBubblewrap() || !canUseApt()) return;
  await showProgress("Installing bubblewrap", () => installWithApt("bubblewrap")).catch(() => {});
}

/** What this host lacks, each with the tests that it leaves out or runs with less, for the summary. */
export function describeGaps({ bubblewrap = hasBubblewrap(), root = process.getuid?.() === 0 } = {}) {
  return [
    ...(bubblewrap ? [] : ["without bubblewrap: tests of the sandbox ran with what else this host isolates runs by"]),
    ...(root
      ? []
      : ["without root: tests of runs under a user id of their own, and of limits by control groups, did not run"]),
  ];
}

function hasBubblewrap() {
  return existsSync("/usr/bin/bwrap") || existsSync("/bin/bwrap");
}
