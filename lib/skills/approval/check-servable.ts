import type { KeyObject } from "node:crypto";
import { z } from "zod";
import { chainKeyOf } from "@/lib/audit/chain/chain-key";
import { keepParsed } from "@/lib/core/json";
import { loadSigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import { query, type Sql, sqlOf } from "@/lib/db/sql";
import { ActivationStatement, ApprovalStatement, isSignatureOf } from "@/lib/policy/signed-statements";
import { type AuditedDecision, lastActivationNumber, readAuditedDecisions, whyAuditForbids } from "./audited-decisions";
import { checkStoredApproval, type StoredApproval } from "./check-stored-approval";

/** Finds the stored versions that may not be served, with the reason of `checkServable`. */
export async function findUnservable(
  ctx: Pick<Ctx, "database" | "tx" | "db">,
  rows: { skill: Serving["skill"]; version: { id: string } }[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const some = rows.slice(from, from + AT_ONCE);
    const stored = await ctx.db.version.findMany({
      where: { id: { in: some.map(({ version }) => version.id) } },
      include: { files: { orderBy: { path: "asc" } }, decisions: { orderBy: { id: "asc" } } },
    });
    const byId = new Map(stored.map((version) => [version.id, version]));
    const orders = await readActivationHistories(ctx, [...new Set(some.map(({ skill }) => skill.id))]);
    for (const {
      skill,
      version: { id },
    } of some) {
      const version = byId.get(id);
      const problem =
        version === undefined
          ? "it is gone"
          : ((await checkStoredApproval(ctx, { skill, version })) ??
            whyNotServable(orders.get(skill.id) ?? EMPTY_HISTORY, version, skill.currentId === id));
      if (problem !== null) found.set(id, problem);
    }
  }
  return found;
}

/** Maximum versions per query, because databases limit the parameters of a statement. */
const AT_ONCE = 500;

type Serving = StoredApproval & { skill: { currentId: string | null }; version: { id: string } };

/**
 * Checks that a version may be served: its approval verifies, the audit log knows it as the last decision on the version,
 * and, for the active version, statements and audit confirm the activation. Null, or the reason as the end of a
 * sentence.
 */
export async function checkServable(
  ctx: Pick<Ctx, "database" | "tx">,
  { skill, version }: Serving,
): Promise<string | null> {
  const problem = await checkStoredApproval(ctx, { skill, version });
  if (problem !== null) return problem;
  const order = (await readActivationHistories(ctx, [skill.id])).get(skill.id) ?? EMPTY_HISTORY;
  return whyNotServable(order, version, skill.currentId === version.id);
}

type SignedRow = {
  skillId: string;
  versionId: string;
  number: number;
  state: string;
  id: string;
  statement: string;
  signature: string | null;
  keyId: string | null;
  standing: string | null;
};
type Keys = ReadonlyMap<string, KeyObject>;
type ServedVersion = { id: string; digest: string; subject: string | null };

/** The signed statements on all versions of a skill, the trusted keys, and the audited decisions, newest first. */
export type ActivationHistory = { signed: readonly SignedRow[]; keys: Keys; audited: readonly AuditedDecision[] };

export const EMPTY_HISTORY: ActivationHistory = { signed: [], keys: new Map(), audited: [] };

/** Reads which version of each skill was activated when, and with which terms. */
export async function readActivationHistories(
  ctx: Pick<Ctx, "database" | "tx">,
  skillIds: readonly string[],
): Promise<Map<string, ActivationHistory>> {
  if (skillIds.length === 0) return new Map();
  const key = await loadSigningKey(ctx.database.keyFolder);
  const chainKey = await chainKeyOf(ctx.database);
  return readHistoriesWithKeys(
    sqlOf(ctx),
    { signing: new Map([[key.keyId, key.publicKey]]), chain: chainKey },
    skillIds,
  );
}

/** Like `readActivationHistories`, with other keys. */
export async function readHistoriesWithKeys(
  sql: Sql,
  { signing: keys, chain }: { signing: Keys; chain: KeyObject | null },
  skillIds: readonly string[],
): Promise<Map<string, ActivationHistory>> {
  const among = skillIds.map(() => "?").join(", ");
  const rows = await sql.all(
    query<SignedRow>(
      `SELECT v."skillId", v."id" AS "versionId", v."number", v."state", d."id", d."statement", d."signature", d."keyId",
         d."standing"
       FROM "Version" v JOIN "Decision" d ON d."versionId" = v."id"
       WHERE v."skillId" IN (${among}) AND d."statement" IS NOT NULL`,
    ),
    ...skillIds,
  );
  const audited = await readAuditedDecisions(sql, chain, skillIds);
  const orders = new Map(
    skillIds.map((id) => [id, { signed: [] as SignedRow[], keys, audited: [] as AuditedDecision[] }]),
  );
  for (const row of rows) orders.get(row.skillId)?.signed.push(row);
  for (const event of audited) orders.get(event.skillId)?.audited.push(event);
  return orders;
}

/** The number of the skill's next activation. */
export async function nextActivationNumber(ctx: Pick<Ctx, "database" | "tx">, skillId: string): Promise<number> {
  const { signed, audited } = (await readActivationHistories(ctx, [skillId])).get(skillId) ?? EMPTY_HISTORY;
  return 1 + Math.max(lastActivationNumber(audited), ...signed.map(activationOf));
}

/**
 * Why a version with a verified approval may still not be served: its approval ended or was replaced, or a later
 * activation superseded the active version. Null when it may.
 */
export function whyNotServable(order: ActivationHistory, version: ServedVersion, isActive: boolean): string | null {
  return (isActive ? whySuperseded(order, version) : null) ?? whyAuditForbids(order.audited, version, isActive);
}

/**
 * Compares the signed statements. Only verified signatures count for the version itself. Statements of releases that
 * signed no activation numbers are compared by time.
 */
function whySuperseded({ signed, keys }: ActivationHistory, version: ServedVersion): string | null {
  const mine = signed.filter((row) => row.versionId === version.id);
  const others = signed.filter((row) => row.versionId !== version.id);
  const place = Math.max(0, ...others.map(activationOf));
  if (mine.some((row) => activationOf(row) > place && provesActivation(row, version, keys))) return null;
  const later = others.find((row) => place > 0 && activationOf(row) === place);
  if (later) return superseded(later);
  const counting = mine.filter((row) => row.standing === "counts");
  if (counting.length === 0) return null;
  const lastOfMine = counting.map(timeOf).sort().at(-1) ?? "";
  const newer = others.find(
    (row) =>
      row.number > (counting[0]?.number ?? 0) &&
      (row.state === "approved" || row.state === "revoked") &&
      others.every((other) => other.versionId !== row.versionId || timeOf(other) > lastOfMine),
  );
  return newer ? superseded(newer) : null;
}

/** Whether this is a counting (already verified) approval, or a valid signed activation of this version. */
function provesActivation(row: SignedRow, version: ServedVersion, keys: Keys): boolean {
  if (row.standing === "counts") return true;
  const statement = read(row);
  if (statement?.format !== "skillgate-activation/1") return false;
  const { decisionId, versionDigest, subject } = statement;
  const key = keys.get(row.keyId ?? "");
  const isOfThis = decisionId === row.id && versionDigest === version.digest && subject === version.subject;
  return isOfThis && key !== undefined && isSignatureOf(key, row.statement, row.signature ?? "");
}

function superseded({ number }: SignedRow): string {
  return `version ${number} was activated later`;
}

function activationOf(row: SignedRow): number {
  return read(row)?.serves ?? 0;
}

function timeOf(row: SignedRow): string {
  return read(row)?.at ?? "";
}

const Statement = z.discriminatedUnion("format", [ApprovalStatement, ActivationStatement]);

/** An unreadable statement is ignored here; its approval does not verify. */
function read({ statement }: SignedRow): z.infer<typeof Statement> | null {
  try {
    return keepParsed(Statement, statement);
  } catch {
    return null;
  }
}
