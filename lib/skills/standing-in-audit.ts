import { z } from "zod";
import { query, type Sql } from "@/lib/db/sql";

/** An event of the audit about an approval of a version, or the end of one. */
export type AuditedDecision = { skillId: string; versionDigest: string | null; action: string; data: string };

const NEWEST = 200;

/**
 * What the audit says of the approvals of these skills, newest first, at most 200 events of each. The list of actions is the
 * one of the index `AuditEvent_decisions_idx`, which the database uses only for the same list.
 */
export async function readAuditedDecisions(sql: Sql, skillIds: readonly string[]): Promise<AuditedDecision[]> {
  if (skillIds.length === 0) return [];
  const among = skillIds.map(() => "?").join(", ");
  return sql.all(
    query<AuditedDecision>(
      `SELECT e."skillId", e."versionDigest", e."action", e."data" FROM (
         SELECT "skillId", "seq", "versionDigest", "action", "data",
           ROW_NUMBER() OVER (PARTITION BY "skillId" ORDER BY "seq" DESC) AS "place"
         FROM "AuditEvent"
         WHERE "skillId" IN (${among}) AND "action" IN ('version.approve', 'version.revoke', 'version.returned')
       ) AS e WHERE e."place" <= ${NEWEST} ORDER BY e."seq" DESC`,
    ),
    ...skillIds,
  );
}

/** Of an approval: the signatures that were there and needed, what they signed, and the place among the activations. */
const ApprovalData = z.object({
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
  const activated = isActive ? events.find((event) => dataOf(event).serves !== undefined) : undefined;
  if (activated === undefined || activated.versionDigest === version.digest) return null;
  return `the audit says that version ${activated.versionDigest?.slice(0, 7)} became the active one after it`;
}

/** Not so the signatures of a round that needs more. */
function decides(event: AuditedDecision): boolean {
  if (event.action !== "version.approve") return true;
  const { given = 0, needed = 0 } = dataOf(event);
  return given >= needed;
}

function dataOf({ data }: AuditedDecision): z.infer<typeof ApprovalData> {
  try {
    return ApprovalData.catch({}).parse(JSON.parse(data));
  } catch {
    return {}; // Whether an event was changed is what audit:verify tells.
  }
}
