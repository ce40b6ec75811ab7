import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

const variable = "TEST_RUN_MARK";

const operatorsOwn = /^(SKILLGATE_|NEXTAUTH_|DATABASE_URL$|PUBLIC_URL$|HOST$|PORT$|NODE_ENV$|GITHUB_(API|RAW)_URL$)/;

/**
 * Marks an environment, so that processes left by a test run can be found and ended, also outside its process group.
 * Needs /proc; elsewhere only process groups are ended.
 */
export function markTestRun(env) {
  const mark = randomUUID();
  return { env: { ...env, [variable]: mark }, endLeftovers: () => endMarked(`${variable}=${mark}`) };
}

function endMarked(entry) {
  const ended = listPids().filter((pid) => pid !== process.pid && environmentOf(pid).includes(entry));
  for (const pid of ended) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {}
  }
  return ended;
}

function listPids() {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    // Ended, or of another user.
    return [];
  }
}

/** Environment of tests, without the operator's settings, which could point to real data. */
export function testEnv(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !operatorsOwn.test(name)));
}
