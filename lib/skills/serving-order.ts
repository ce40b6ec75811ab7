import { keepParsed } from "@/lib/core/keep-parsed";
import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { ApprovalStatement } from "@/lib/policy/approval-statement";

type SignedRow = { skillId: string; versionId: string; number: number; state: string; statement: string };

/** The signed statements about all versions of a skill. */
export type ServingOrder = readonly SignedRow[];

/** The statements that say which version of each of these skills became active, and when. */
export async function readServingOrders(
  ctx: Pick<Ctx, "database" | "tx">,
  skillIds: readonly string[],
): Promise<Map<string, ServingOrder>> {
  if (skillIds.length === 0) return new Map();
  const among = skillIds.map(() => "?").join(", ");
  const rows = await sqlOf(ctx).all(
    query<SignedRow>(
      `SELECT v."skillId", v."id" AS "versionId", v."number", v."state", d."statement"
       FROM "Version" v JOIN "Decision" d ON d."versionId" = v."id"
       WHERE v."skillId" IN (${among}) AND d."statement" IS NOT NULL`,
    ),
    ...skillIds,
  );
  const orders = new Map<string, SignedRow[]>();
  for (const row of rows) orders.set(row.skillId, [...(orders.get(row.skillId) ?? []), row]);
  return orders;
}

/** The place in the order of activations that the next version of a skill to become active gets. */
export async function nextActivation(ctx: Pick<Ctx, "database" | "tx">, skillId: string): Promise<number> {
  const order = (await readServingOrders(ctx, [skillId])).get(skillId) ?? [];
  return 1 + Math.max(0, ...order.map(activationOf));
}

/**
 * Why a version cannot be the active one of its skill, as the end of a sentence: the signed statements say that another one
 * became active after it. Null when it can. Statements of releases that did not say so are compared by their times.
 */
export function whyNotActive(order: ServingOrder, versionId: string): string | null {
  const mine = order.filter((row) => row.versionId === versionId);
  const others = order.filter((row) => row.versionId !== versionId);
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
