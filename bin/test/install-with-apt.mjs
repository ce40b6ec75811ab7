import { existsSync } from "node:fs";
import { runCommand } from "../run-command.mjs";

/** Whether this is a Debian-like system on which this process may install. */
export function canUseApt() {
  return process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

export async function installWithApt(name) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const updated = await runCommand("apt-get", ["update"], { env });
  return updated.code === 0 ? runCommand("apt-get", ["install", "-y", name], { env }) : updated;
}
