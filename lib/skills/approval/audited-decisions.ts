import type { KeyObject } from "node:crypto";
import { z } from "zod";
import { EVENT_COLUMNS, type StoredEvent } from "@/lib/audit/chain/chain-events";
import { isLink } from "@/lib/audit/chain/holds-in-chain";
import { query, type Sql } from "@/lib/db/sql";

/** An event of the audit about an approval of a version, the end of one, or an activation. */
export type AuditedDecision = {
  seq: number;
  skillId: string;
  versionDigest: string | null;
  action: string;
  data: string;
  /** Whether it is what the server wrote at this place, between its two neighbours. */
  isIntact(): boolean;
};

type Row = StoredEvent &
  Omit<AuditedDecision, "isIntact"> & { before: string | null; after: string | null; newest: number };

/** Signatures of one version that are read; with so many that completed no approval it may not serve, as one that did may be older. */
const NEWEST = 50;
const COLUMNS = [...EVENT_COLUMNS, "prevHash", "hash"].map((name) => `e."${name}"`).join(", ");

/**
 * What the audit says of the approvals and activations of these skills, newest first: of each version and action the newest
 * events, those with a place among the activations apart. So nothing that is said of other versions, and no number of
 * signatures, hides a revocation or the last activation. The list of actions is the one of the index
 * `AuditEvent_decisions_idx`, which the database uses only for the same list. `chainKey`: null where it is not known.
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
      `SELECT ${COLUMNS}, COALESCE(b."hash", (SELECT "lastHash" FROM "AuditSegment" WHERE "toSeq" = e."seq" - 1)) AS "before",
         a."prevHash" AS "after", (SELECT MAX("seq") FROM "AuditEvent") AS "newest"
       FROM (
         SELECT "seq", ROW_NUMBER() OVER (
           PARTITION BY "skillId", "versionDigest", "action", "data" LIKE '%"serves":%' ORDER BY "seq" DESC
         ) AS "place"
         FROM "AuditEvent"
         WHERE "skillId" IN (${among}) AND "action" IN ('version.approve', 'version.revoke', 'version.returned', 'version.activate')
       ) AS p JOIN "AuditEvent" e ON e."seq" = p."seq"
       LEFT JOIN "AuditEvent" b ON b."seq" = e."seq" - 1
       LEFT JOIN "AuditEvent" a ON a."seq" = e."seq" + 1
       WHERE p."place" <= CASE WHEN e."action" = 'version.approve' THEN ${NEWEST} ELSE 1 END
       ORDER BY e."seq" DESC`,
    ),
    ...skillIds,
  );
  return rows.map((row) => {
    const { seq, skillId, versionDigest, action, data, newest } = row;
    const after = seq === newest ? undefined : row.after;
    const isIntact = () => isLink(chainKey, row, { before: row.before ?? undefined, after });
    return { seq, skillId, versionDigest, action, data, isIntact };
  });
}

/** Of an approval: the signatures that were there and needed, what they signed, and the place among the activations. */
const DecisionData = z.object({
  given: z.number().optional(),
  needed: z.number().optional(),
  subject: z.string().optional(),
  serves: z.number().optional(),
});

/**
 * Why a version may not serve, as the end of a sentence, by the events about its skill, newest first: the last one that
 * decided on it is not the approval of the terms that are stored, or, for the active version, another one became active after
 * it, or an event that says so is not as it was written. Null when the audit says nothing against it: events that were archived,
 * or that an earlier release wrote, decide nothing.
 */
export function whyAuditForbids(
  events: readonly AuditedDecision[],
  version: { digest: string; subject: string | null },
  isActive: boolean,
): string | null {
  const mine = events.filter(({ versionDigest }) => versionDigest === version.digest);
  const last = mine.find(isDecision);
  const signed = last && dataOf(last).subject;
  if (last?.action === "version.revoke") return "the audit says that it was revoked";
  if (last?.action === "version.returned") return "the audit says that it was returned to review";
  if (signed !== undefined && signed !== version.subject)
    return "the audit says that other terms were approved after these";
  const activations = isActive ? lastActivations(events) : [];
  const other = activations.find(({ versionDigest }) => versionDigest !== version.digest);
  if (other !== undefined)
    return `the audit says that version ${other.versionDigest?.slice(0, 7)} became the active one after it`;
  // Each event of the version, as one that was changed to look like another, or moved before the last, decides nothing any more.
  const until = isActive ? 1 + events.findIndex((event) => dataOf(event).serves !== undefined) : 0;
  const changed = [...mine, ...events.slice(0, until), ...activations].find((event) => !event.isIntact());
  if (changed !== undefined)
    return `event ${changed.seq} of the audit, which decides on it, or the event before or after it is not as it was written: run npm run audit:verify`;
  const later = last === undefined ? mine : mine.slice(0, mine.indexOf(last));
  const signatures = later.filter(({ action }) => action === "version.approve").length;
  return signatures < NEWEST ? null : `${signatures} signatures after its last decision completed no approval`;
}

/** The highest place among the activations that the audit knows; 0 for none. */
export function lastActivationNumber(events: readonly AuditedDecision[]): number {
  return events.reduce((highest, event) => Math.max(highest, dataOf(event).serves ?? 0), 0);
}

/** The newest activation and the one with the highest place: the same one, unless an event was repeated or put back. */
function lastActivations(events: readonly AuditedDecision[]): AuditedDecision[] {
  const place = lastActivationNumber(events);
  const activations = events.filter((event) => dataOf(event).serves !== undefined);
  return [...activations.slice(0, 1), ...activations.filter((event) => dataOf(event).serves === place).slice(0, 1)];
}

/** Not so the signatures of a round that needs more, nor an activation: it says nothing about the approval. */
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
    return {}; // The event is then not as it was written, which is asked where it decides.
  }
}
