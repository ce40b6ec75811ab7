import type { KeyObject } from "node:crypto";
import Sqlite from "better-sqlite3";
import { EVENT_COLUMNS, GENESIS, hashEvent } from "@/lib/audit/chain/chain-events";

const START = Date.parse("2025-01-01T00:00:00Z");
const BATCH = 10_000;
const NAMES = [...EVENT_COLUMNS, "prevHash", "hash"];
const ACTIONS = [
  "run.start",
  "run.succeed",
  "run.fail",
  "session.start",
  "skill.update",
  "version.approve",
  "request.refuse",
];

/** Fills an empty audit with events and a valid chain, bypassing the product's functions: a minute for a million. */
export function fillAudit(file: string, key: KeyObject, count: number): void {
  const db = new Sqlite(file);
  db.pragma("synchronous = OFF");
  const places = NAMES.map(() => "?").join(", ");
  const insert = db.prepare(
    `INSERT INTO "AuditEvent" (${NAMES.map((name) => `"${name}"`).join(", ")}) VALUES (${places})`,
  );
  let prevHash = GENESIS;
  const addUpTo = db.transaction((from: number, to: number) => {
    for (let seq = from; seq <= to; seq++) {
      const event: Record<string, unknown> = exampleEvent(seq);
      const hash = hashEvent(key, event, prevHash);
      insert.run(...EVENT_COLUMNS.map((name) => event[name] ?? null), prevHash, hash);
      prevHash = hash;
    }
  });
  for (let from = 1; from <= count; from += BATCH) addUpTo(from, Math.min(count, from + BATCH - 1));
  db.prepare(`UPDATE "AuditChain" SET "place" = ?, "seq" = ?, "hash" = ?`).run(count, count, prevHash);
  db.close();
}

export function exampleEvent(seq: number): Record<string, unknown> {
  const mixed = Math.imul(seq, 0x9e3779b1) >>> 0;
  const action = ACTIONS[mixed % ACTIONS.length] ?? "run.start";
  const [person, skill] = [mixed % 40, (mixed >>> 8) % 300];
  const isRun = action.startsWith("run.");
  const at = new Date(START + seq * 20_000).toISOString().replace("Z", "+00:00");
  return {
    seq,
    at,
    actorKind: "user",
    actorId: `user-${person}`,
    actorName: `Person ${person}`,
    actorRole: person === 0 ? "admin" : "user",
    callerKind: "browser",
    action,
    outcome: action === "run.fail" ? "failed" : action === "request.refuse" ? "refused" : "ok",
    count: 1,
    decision: isRun ? "allow" : null,
    targetKind: isRun ? "run" : "skill",
    targetId: isRun ? `run-${seq >> 1}` : `skill-${skill}`,
    targetName: `skill_${skill}`,
    skillId: `skill-${skill}`,
    runId: isRun ? `run-${seq >> 1}` : null,
    tool: `skill_${skill}`,
    class: ["safe", "mutating", "dangerous"][skill % 3],
    sessionId: `session-${mixed % 500}`,
    device: isRun ? `worker-${mixed % 5}` : null,
    address: "192.0.2.7",
    requestId: `request-${seq}`,
    traceId: `request-${seq}`,
    summary: `${action.replace(".", " ")} skill_${skill}`,
    arguments: isRun ? JSON.stringify({ text: `value ${mixed}` }) : null,
    startedAt: isRun ? at : null,
    durationMs: isRun ? (mixed % 5_000) / 10 : null,
    data: JSON.stringify({ n: seq }),
  };
}
