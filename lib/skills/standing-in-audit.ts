import { z } from "zod";
import { query, type Sql } from "@/lib/db/sql";

/** An event of the audit about an approval of a version, the end of one, or an activation. */
export type AuditedDecision = { skillId: string; versionDigest: string | null; action: string; data: string };

const NEWEST = 200;

/**
 * What the audit says of the approvals and activations of these skills, newest first, of each skill at most 200 events of each
 * action: so no number of activations hides a revocation. The list of actions is the one of the index
 * `AuditEvent_decisions_idx`, which the database uses only for the same list.
 */
export async function readAuditedDecisions(sql: Sql, skillIds: readonly string[]): Promise<AuditedDecision[]> {
  if (skillIds.length === 0) return [];
  const among = skillIds.map(() => "?").join(", ");
  return sql.all(
    query<AuditedDecision>(
      `SELECT e."skillId", e."versionDigest", e."action", e."data" FROM (
         SELECT "skillId", "seq", "versionDigest", "action", "data",
           ROW_NUMBER() OVER (PARTITION BY "skillId", "action" ORDER BY "seq" DESC) AS "place"
         FROM "AuditEvent"
         WHERE "skillId" IN (${among}) AND "action" IN ('version.approve', 'version.revoke', 'version.returned', 'version.activate')
       ) AS e WHERE e."place" <= ${NEWEST} ORDER BY e."seq" DESC`,
    ),
    ...skillIds,
  );
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
 * it. Null when the audit says nothing against it: events that were archived, or that an earlier release wrote, decide nothing.
 */
export function whyNotInAudit(
  events: readonly AuditedDecision[],
  version: { digest: string; subject: string | null },
  isActive: boolean,
): string | null {
  const last = events.find((event) => event.versionDigest === version.digest && decides(event));
  if (last?.action === "version.revoke") return "the audit says that it was revoked";
  if (last?.action === "version.returned") return "the audit says that it was returned to review";
  const signed = last && dataOf(last).subject;
  if (signed !== undefined && signed !== version.subject)
    return "the audit says that other terms were approved after these";
  const other = isActive
    ? lastActivations(events).find(({ versionDigest }) => versionDigest !== version.digest)
    : undefined;
  if (other === undefined) return null;
  return `the audit says that version ${other.versionDigest?.slice(0, 7)} became the active one after it`;
}

/** The highest place among the activations that the audit knows; 0 for none. */
export function lastPlaceInAudit(events: readonly AuditedDecision[]): number {
  return events.reduce((highest, event) => Math.max(highest, dataOf(event).serves ?? 0), 0);
}

/** The newest activation and the one with the highest place: the same one, unless an event was repeated or put back. */
function lastActivations(events: readonly AuditedDecision[]): AuditedDecision[] {
  const place = lastPlaceInAudit(events);
  const activations = events.filter((event) => dataOf(event).serves !== undefined);
  return [...activations.slice(0, 1), ...activations.filter((event) => dataOf(event).serves === place).slice(0, 1)];
}

/** Not so the signatures of a round that needs more, nor an activation: it says nothing about the approval. */
function decides(event: AuditedDecision): boolean {
  if (event.action === "version.activate") return false;
  if (event.action !== "version.approve") return true;
  const { given = 0, needed = 0 } = dataOf(event);
  return given >= needed;
}

function dataOf({ data }: AuditedDecision): z.infer<typeof DecisionData> {
  try {
    return DecisionData.catch({}).parse(JSON.parse(data));
  } catch {
    return {}; // Whether an event was changed is what audit:verify tells.
  }
}
