import { existsSync } from "node:fs";
import path from "node:path";
import { showProgress } from "../prepare/progress.mjs";
import { root } from "../root.mjs";
import { runCommand } from "../run-command.mjs";
import { canUseApt, installWithApt } from "./install-with-apt.mjs";

const systemPaths = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];

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
  const { chromium } = await import("@playwright/test");
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
