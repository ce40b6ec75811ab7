import type { KeyObject } from "node:crypto";
import { z } from "zod";
import { CHAIN_COLUMNS, EVENT_COLUMNS, type StoredEvent } from "@/lib/audit/chain/chain-events";
import { isIntactLink } from "@/lib/audit/chain/verify-chain";
import { query, type Sql } from "@/lib/db/sql";

export type AuditedDecision = {
  seq: number;
  skillId: string;
  versionDigest: string | null;
  action: string;
  data: string;
  /** Verifies the event and its links to both neighbours in the chain. */
  isIntact(): boolean;
};

type Row = StoredEvent &
  Omit<AuditedDecision, "isIntact"> & { before: string | null; after: string | null; isLast: boolean };

/** A version with more unfinished signatures may not be served: a completed approval could be older. */
const NEWEST = 50;
const placeOf = (event: string) => `COALESCE(${event}."place", ${event}."seq")`;
// The end of a chain is read only when it matters: it conflicts with every transaction that extends the chain meanwhile.
const IS_LAST = `CASE WHEN a."seq" IS NOT NULL THEN false ELSE NOT EXISTS (
  SELECT 1 FROM "AuditEvent" n WHERE n."chain" = e."chain" AND ${placeOf("n")} > ${placeOf("e")}) END`;
const SEALED_HASH = `SELECT s."sealedHash" FROM "AuditChain" s WHERE s."chain" = e."chain" AND s."sealedPlace" = ${placeOf("e")} - 1`;
const COLUMNS = [...EVENT_COLUMNS, ...CHAIN_COLUMNS].map((name) => `e."${name}"`).join(", ");

/**
 * Reads the audited decisions of these skills, newest first: per version and action the newest events, with activations
 * counted separately, so that events of other versions, or many signatures, cannot hide a revocation or the last
 * activation. The actions in the query must match the index `AuditEvent_decisions_idx`. `chainKey` is null where it is
 * unknown.
 */
export async function readAuditedDecisions(
  sql: Sql,
  chainKey: KeyObject | null,
  skillIds: readonly string[],
): Promise<AuditedDecision[]> {
  if (skillIds.length === 0) return [];
  const among = skillIds.map(() => "?").join(", ");
  const rows = await sql.all(
    query<Row>(
      `SELECT ${COLUMNS}, COALESCE(b."hash", (${SEALED_HASH})) AS "before", a."prevHash" AS "after", ${IS_LAST} AS "isLast"
       FROM (
         SELECT "seq", ROW_NUMBER() OVER (
           PARTITION BY "skillId", "versionDigest", "action", "data" LIKE '%"serves":%' ORDER BY "seq" DESC
         ) AS "place"
         FROM "AuditEvent"
         WHERE "skillId" IN (${among}) AND "action" IN ('version.approve', 'version.revoke', 'version.returned', 'version.activate')
       ) AS p JOIN "AuditEvent" e ON e."seq" = p."seq"
       LEFT JOIN "AuditEvent" b ON b."chain" = e."chain" AND ${placeOf("b")} = ${placeOf("e")} - 1
       LEFT JOIN "AuditEvent" a ON a."chain" = e."chain" AND ${placeOf("a")} = ${placeOf("e")} + 1
       WHERE p."place" <= CASE WHEN e."action" = 'version.approve' THEN ${NEWEST} ELSE 1 END
       ORDER BY e."seq" DESC`,
      { isLast: "flag" },
    ),
    ...skillIds,
  );
  return rows.map((row) => {
    const { seq, skillId, versionDigest, action, data } = row;
    const after = row.isLast ? undefined : row.after;
    const isIntact = () => isIntactLink(chainKey, row, { before: row.before ?? undefined, after });
    return { seq, skillId, versionDigest, action, data, isIntact };
  });
}

const DecisionData = z.object({
  given: z.number().optional(),
  needed: z.number().optional(),
  subject: z.string().optional(),
  serves: z.number().optional(),
});

/**
 * Why the audit log forbids a version, as the end of a sentence, or null. Forbidden: the last decision is not the approval
 * of the stored terms; for the active version, another one was activated later; or a deciding event was changed.
 * Archived events and those of earlier releases decide nothing.
 */
export function whyAuditForbids(
  events: readonly AuditedDecision[],
  version: { digest: string; subject: string | null },
  isActive: boolean,
): string | null {
  const mine = events.filter(({ versionDigest }) => versionDigest === version.digest);
  const last = mine.find(isDecision);
  const signed = last && dataOf(last).subject;
  if (last?.action === "version.revoke") return "the audit log says that it was revoked";
  if (last?.action === "version.returned") return "the audit log says that it was returned to review";
  if (signed !== undefined && signed !== version.subject)
    return "the audit log says that another class or other permissions were approved later";
  const activations = isActive ? lastActivations(events) : [];
  const other = activations.find(({ versionDigest }) => versionDigest !== version.digest);
  if (other !== undefined)
    return `the audit log says that version ${other.versionDigest?.slice(0, 7)} was activated later`;
  // All events of the version are verified: a changed or moved event could otherwise hide a decision.
  const until = isActive ? 1 + events.findIndex((event) => dataOf(event).serves !== undefined) : 0;
  const changed = [...mine, ...events.slice(0, until), ...activations].find((event) => !event.isIntact());
  if (changed !== undefined)
    return `audit event ${changed.seq}, or the event before or after it, was changed: run npm run audit:verify`;
  const later = last === undefined ? mine : mine.slice(0, mine.indexOf(last));
  const signatures = later.filter(({ action }) => action === "version.approve").length;
  return signatures < NEWEST ? null : `${signatures} signatures after its last decision completed no approval`;
}

/** The highest activation number in the audit log; 0 without any. */
export function lastActivationNumber(events: readonly AuditedDecision[]): number {
  return events.reduce((highest, event) => Math.max(highest, dataOf(event).serves ?? 0), 0);
}

/** The newest activation and the one with the highest number. They differ only when an event was repeated or moved. */
function lastActivations(events: readonly AuditedDecision[]): AuditedDecision[] {
  const place = lastActivationNumber(events);
  const activations = events.filter((event) => dataOf(event).serves !== undefined);
  return [...activations.slice(0, 1), ...activations.filter((event) => dataOf(event).serves === place).slice(0, 1)];
}

/** Whether an event decides on a version: incomplete rounds and activations do not. */
function isDecision(event: AuditedDecision): boolean {
  if (event.action === "version.activate") return false;
  if (event.action !== "version.approve") return true;
  const { given = 0, needed = 0 } = dataOf(event);
  return given >= needed;
}

function dataOf({ data }: AuditedDecision): z.infer<typeof DecisionData> {
  try {
    return DecisionData.catch({}).parse(JSON.parse(data));
  } catch {
    return {};
  }
}
