import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const pollMs = 200;

/** Lets one process at a time install, generate or build in `folder`; others wait and then find the work done. */
export async function withPrepareLock(folder, work, tell = (line) => process.stderr.write(`${line}\n`)) {
  const file = path.join(folder, "prepare.lock");
  mkdirSync(folder, { recursive: true });
  let told = false;
  while (!claim(file)) {
    const owner = readOwner(file);
    if (owner === null || !isAlive(owner)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!told) tell(`Waiting for process ${owner}, which is installing or building here (or delete ${file}) …`);
    told = true;
    await delay(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

// Links a complete file into place, so that the lock always names its owner.
function claim(file) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readOwner(file) {
  try {
    return Number(readFileSync(file, "utf8")) || null;
  } catch {
    return null;
  }
}

function isAlive(pid) {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
