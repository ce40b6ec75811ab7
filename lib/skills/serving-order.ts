import { keepParsed } from "@/lib/core/keep-parsed";
import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { ApprovalStatement } from "@/lib/policy/approval-statement";
import { type AuditedDecision, readAuditedDecisions, whyNotInAudit } from "./standing-in-audit";

type SignedRow = {
  skillId: string;
  versionId: string;
  number: number;
  state: string;
  statement: string;
  standing: string | null;
};

/** The signed statements about all versions of a skill, and what the audit says of them, newest first. */
export type ServingOrder = { signed: readonly SignedRow[]; audited: readonly AuditedDecision[] };

export const NO_ORDER: ServingOrder = { signed: [], audited: [] };

/** What says which version of each of these skills became active, under which terms, and when. */
export async function readServingOrders(
  ctx: Pick<Ctx, "database" | "tx">,
  skillIds: readonly string[],
): Promise<Map<string, ServingOrder>> {
  if (skillIds.length === 0) return new Map();
  const among = skillIds.map(() => "?").join(", ");
  const rows = await sqlOf(ctx).all(
    query<SignedRow>(
      `SELECT v."skillId", v."id" AS "versionId", v."number", v."state", d."statement", d."standing"
       FROM "Version" v JOIN "Decision" d ON d."versionId" = v."id"
       WHERE v."skillId" IN (${among}) AND d."statement" IS NOT NULL`,
    ),
    ...skillIds,
  );
  const audited = await readAuditedDecisions(sqlOf(ctx), skillIds);
  const orders = new Map(skillIds.map((id) => [id, { signed: [] as SignedRow[], audited: [] as AuditedDecision[] }]));
  for (const row of rows) orders.get(row.skillId)?.signed.push(row);
  for (const event of audited) orders.get(event.skillId)?.audited.push(event);
  return orders;
}

/** The place in the order of activations that the next version of a skill to become active gets. */
export async function nextActivation(ctx: Pick<Ctx, "database" | "tx">, skillId: string): Promise<number> {
  const { signed } = (await readServingOrders(ctx, [skillId])).get(skillId) ?? NO_ORDER;
  return 1 + Math.max(0, ...signed.map(activationOf));
}

/**
 * Why a version whose approval verifies may not serve all the same, as the end of a sentence: the approval is one that was
 * ended or replaced, or the version is the active one of its skill and another one became active after it. Null when it may.
 */
export function whyNotServing(
  order: ServingOrder,
  version: { id: string; digest: string; subject: string | null },
  isActive: boolean,
): string | null {
  return (isActive ? whyNotActive(order, version.id) : null) ?? whyNotInAudit(order.audited, version, isActive);
}

/**
 * By the signed statements, of which only those that count speak for the version: their signatures were checked. Statements of
 * releases that did not tell the activations are compared by their times.
 */
function whyNotActive({ signed }: ServingOrder, versionId: string): string | null {
  const mine = signed.filter((row) => row.versionId === versionId && row.standing === "counts");
  const others = signed.filter((row) => row.versionId !== versionId);
  const place = Math.max(0, ...mine.map(activationOf));
  const later = others.find((row) => activationOf(row) > place);
  if (later) return superseded(later);
  if (place > 0 || mine.length === 0) return null;
  const lastOfMine = mine.map(timeOf).sort().at(-1) ?? "";
  const newer = others.find(
    (row) =>
      row.number > (mine[0]?.number ?? 0) &&
      (row.state === "approved" || row.state === "revoked") &&
      others.every((other) => other.versionId !== row.versionId || timeOf(other) > lastOfMine),
  );
  return newer ? superseded(newer) : null;
}

function superseded({ number }: SignedRow): string {
  return `version ${number} became the active one after it`;
}

function activationOf(row: SignedRow): number {
  return read(row)?.serves ?? 0;
}

function timeOf(row: SignedRow): string {
  return read(row)?.at ?? "";
}

/** What cannot be read says nothing here; the approval that it belongs to does not verify. */
function read({ statement }: SignedRow): ApprovalStatement | null {
  try {
    return keepParsed(ApprovalStatement, statement);
  } catch {
    return null;
  }
}
