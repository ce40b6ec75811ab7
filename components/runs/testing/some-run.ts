import type { Run } from "@/lib/runner/schema";

const usual: Run = {
  id: "r1",
  skill: { id: "s1", name: "scan", label: null },
  versionDigest: "5ba853f00",
  versionNumber: 1,
  class: "safe",
  state: "succeeded",
  args: {},
  result: 1,
  error: null,
  rawOutput: null,
  exitCode: 0,
  signal: null,
  timedOut: false,
  truncated: false,
  isolation: "sandbox",
  worker: { id: "w1", name: "local" },
  target: null,
  caller: { kind: "user", id: "u1", name: "Aiko" },
  sessionId: null,
  timeoutMs: 30_000,
  queuedAt: "2026-11-20T10:00:00.000Z",
  startedAt: "2026-11-20T10:00:01.000Z",
  finishedAt: "2026-11-20T10:00:02.000Z",
  durationMs: 1_000,
  sandboxMs: 5,
  warm: false,
  cpuMs: 40,
  peakMemoryBytes: 1024,
  attempt: 1,
  retryOfId: null,
  parentRunId: null,
  stepIndex: null,
  stepKey: null,
  groupId: null,
  scheduleId: null,
};

export function someRun(changes: Partial<Run> = {}): Run {
  return { ...usual, ...changes };
}
