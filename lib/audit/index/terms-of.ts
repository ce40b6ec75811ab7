import type { IndexTerm } from "@/lib/db/audit-index";
import { jsonList, query } from "@/lib/db/sql";

export type IndexedRow = {
  seq: number;
  at: Date;
  actorId: string | null;
  actorName: string;
  concernsId: string | null;
  action: string;
  outcome: string;
  decision: string | null;
  targetName: string | null;
  skillId: string | null;
  versionDigest: string | null;
  runId: string | null;
  tool: string | null;
  class: string | null;
  sessionId: string | null;
  device: string | null;
  /** Session of a person who acted on a run of another session. */
  actorSession: string | null;
  summary: string;
};

const ACTOR_SESSION = {
  sqlite: `json_extract("data", '$.actorSession')`,
  postgresql: `("data"::jsonb ->> 'actorSession')`,
};
const columnsOf = (
  dialect: "sqlite" | "postgresql",
) => `"seq", "at", "actorId", "actorName", "concernsId", "action", "outcome", "decision", "targetName", "skillId",
  "versionDigest", "runId", "tool", "class", "sessionId", "device", "summary",
  CASE WHEN "runId" IS NOT NULL AND "data" LIKE '%"actorSession":%' THEN ${ACTOR_SESSION[dialect]} END AS "actorSession"`;
const date = { at: "date" } as const;
export const ROWS_AFTER = query<IndexedRow>(
  {
    sqlite: `SELECT ${columnsOf("sqlite")} FROM "AuditEvent" WHERE "seq" > ? ORDER BY "seq" LIMIT ?`,
    postgresql: `SELECT ${columnsOf("postgresql")} FROM "AuditEvent" WHERE "seq" > ? ORDER BY "seq" LIMIT ?`,
  },
  date,
);
export const ROWS_OF = query<IndexedRow>(
  {
    sqlite: `SELECT ${columnsOf("sqlite")} FROM "AuditEvent" WHERE "seq" IN ${jsonList("sqlite")}`,
    postgresql: `SELECT ${columnsOf("postgresql")} FROM "AuditEvent" WHERE "seq" IN ${jsonList("postgresql", "number")}`,
  },
  date,
);

/** `sees`: a person who may see it; `name`: of a skill or tool; `noun`: first part of the action; else columns. */
export function termsOf(row: IndexedRow): IndexTerm[] {
  const terms: [string, string | null][] = [
    ["all", ""],
    ["sees", row.actorId],
    ["sees", row.concernsId === row.actorId ? null : row.concernsId],
    ["actor", row.actorId ?? row.actorName],
    ["actorName", row.actorName],
    ["action", row.action],
    ["noun", row.action.split(".")[0] ?? row.action],
    ["outcome", row.outcome],
    ["decision", row.decision],
    ["class", row.class],
    ["tool", row.tool],
    ["name", row.tool],
    ["name", row.targetName === row.tool ? null : row.targetName],
    ["skill", row.skillId],
    ["version", row.versionDigest],
    ["run", row.runId],
    ["session", row.sessionId],
    ["session", row.actorSession],
    ["device", row.device],
  ];
  return terms.filter((term): term is [string, string] => term[1] !== null);
}

const UNCOUNTED = new Set(["run", "session", "version", "actorName"]);

/** Whether events with such a term are counted by the hour; not for terms that are almost unique. */
export function isCounted(kind: string): boolean {
  return !UNCOUNTED.has(kind);
}

const UNLISTED = new Set(["all", "tool"]);

/** Whether events with such a term are listed. `all` needs no list, and `name` covers `tool`. */
export function isListed(kind: string): boolean {
  return !UNLISTED.has(kind);
}
