import { existsSync } from "node:fs";
import { showProgress } from "../prepare/progress.mjs";
import { canUseApt, installWithApt } from "./install-with-apt.mjs";

/** Installs bubblewrap if allowed. Never fails: sandbox tests are skipped without it. */
export async function ensureBubblewrap() {
  if (process.platform !== "linux" || hasBubblewrap() || !canUseApt()) return;
  await showProgress("Installing bubblewrap", () => installWithApt("bubblewrap")).catch(() => {});
}

/** Missing tools of this host, with the tests that are skipped or reduced, for the summary. */
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
