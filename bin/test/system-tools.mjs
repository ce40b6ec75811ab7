import { existsSync } from "node:fs";
import path from "node:path";
import { showProgress } from "../prepare/progress.mjs";
import { root } from "../root.mjs";
import { runCommand } from "../run-command.mjs";

const systemPaths = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];

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

/** Whether this is a Debian-like system on which this process may install. */
export function canUseApt() {
  return process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

export async function installWithApt(name) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const updated = await runCommand("apt-get", ["update"], { env });
  return updated.code === 0 ? runCommand("apt-get", ["install", "-y", name], { env }) : updated;
}

/** Finds a Chromium that starts, and installs one if needed. Resolves with `{ file }` or `{ problem }`. */
export async function findOrInstallChromium(env = process.env) {
  const chosen = env.PLAYWRIGHT_CHROMIUM_PATH;
  if (chosen) {
    if (await starts(chosen)) return { file: chosen };
    return { problem: `PLAYWRIGHT_CHROMIUM_PATH is ${chosen}, which is not a Chromium that starts.` };
  }
  const present = await findChromium();
  if (present) return { file: present };
  const installers = canUseApt() ? [() => installWithApt("chromium"), installWithPlaywright] : [installWithPlaywright];
  const outputs = [];
  for (const install of installers) {
    const { code, output } = await showProgress("Installing Chromium", install);
    const file = code === 0 && (await findChromium());
    if (file) return { file };
    outputs.push(output.trimEnd().split("\n").slice(-10).join("\n"));
  }
  const advice = "No Chromium was found or could be installed. Install one and set PLAYWRIGHT_CHROMIUM_PATH to it.";
  return { problem: `${outputs.join("\n")}\n${advice}` };
}

async function findChromium() {
  for (const file of [...systemPaths, await playwrightsOwn()]) if (await starts(file)) return file;
  return null;
}

async function playwrightsOwn() {
  const { chromium } = await import("playwright");
  return chromium.executablePath();
}

// Some distributions install a stub that only explains how to get the browser.
async function starts(file) {
  if (!file || !existsSync(file)) return false;
  return (await runCommand(file, ["--version", "--no-sandbox"])).code === 0;
}

function installWithPlaywright() {
  return runCommand(path.join(root, "node_modules", ".bin", "playwright"), ["install", "chromium"], { cwd: root });
}
