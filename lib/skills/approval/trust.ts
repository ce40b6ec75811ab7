import { LRUCache } from "lru-cache";
import { storeOf } from "@/lib/core/process-store";
import { loadSigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import { isSignatureOf } from "@/lib/policy/signed-statements";
import { findTamperedFile } from "@/lib/skills/versions/read-blob";
import { type Trust, TrustTier } from "@/lib/skills/versions/schema";
import { query } from "../../db/sql";
import type { SkillRow } from "../skill-access";
import { withFilesAndDecisions } from "../version-access";
import { type ActivationHistory, EMPTY_HISTORY, readActivationHistories, whyNotServable } from "./check-servable";
import { checkStoredApproval, isShownAsSigned, type ShownDecision, type StoredApproval } from "./check-stored-approval";
import { findReleased } from "./release-manifest";

const REVISION = query<{ value: number }>(`SELECT "value" FROM "ApprovalRevision"`);

export const NO_TRUST: Trust = { tier: "unreviewed", signature: "unsigned", problem: null };

/**
 * The tier of a version by the origin of its bytes. Of a worker's skills only exact built-ins of this release are
 * `bundled`; packs from an operator's directory are `workspace`, like uploads.
 */
export async function tierOf(
  skill: { source: string },
  version: { digest: string },
): Promise<Exclude<TrustTier, "unreviewed">> {
  if (skill.source === "catalog" || skill.source === "integration") return "indexed";
  return skill.source === "worker" && (await findReleased(version.digest)) ? "bundled" : "workspace";
}

type TrustedSkill = StoredApproval["skill"] & { source: string; currentId: string | null };
type TrustedVersion = StoredApproval["version"] & { id: string; state: string; tampered: string | null };

/** Tier and signature state of a version. A tampered version is read again until its bytes are restored. */
export async function trustOf(
  ctx: Pick<Ctx, "database" | "db">,
  skill: TrustedSkill,
  version: TrustedVersion,
  order: ActivationHistory,
): Promise<Trust> {
  if (version.state !== "approved") return NO_TRUST;
  const problem =
    (await checkStoredApproval(ctx, { skill, version })) ??
    whyNotServable(order, version, skill.currentId === version.id) ??
    (version.tampered === null ? null : await findTamperedFile(ctx, version.files));
  return problem === null
    ? { tier: await tierOf(skill, version), signature: "verified", problem: null }
    : { tier: "unreviewed", signature: "failed", problem: `The stored version differs from its approval: ${problem}.` };
}

/** Tier at the time of a decision, and the state of its signature. */
export async function trustOfDecision(
  ctx: Pick<Ctx, "database">,
  decision: ShownDecision & { signature: string | null; keyId: string | null },
): Promise<Trust> {
  const tier = TrustTier.catch("unreviewed").parse(decision.tier);
  const { statement, signature, keyId } = decision;
  if (statement === null || signature === null) return { tier, signature: "unsigned", problem: null };
  const key = await loadSigningKey(ctx.database.keyFolder);
  if (keyId !== key.keyId) {
    return { tier, signature: "failed", problem: "Signed with a key of another instance" };
  }
  if (!isSignatureOf(key.publicKey, statement, signature)) {
    return { tier, signature: "failed", problem: "The signature does not match the decision." };
  }
  if (isShownAsSigned(decision)) return { tier, signature: "verified", problem: null };
  return { tier, signature: "failed", problem: "The stored decision differs from the signed one." };
}

type Kept = { revision: number; at: number; of: string; trust: Trust };

const MAX_KEPT = 10_000;
/** For changes that escape the triggers of the revision. Runs and downloads check the stored approval each time. */
const MAX_AGE_MS = 60_000;

/**
 * Trust of the active versions by skill id. Kept until the approval revision is raised: a list of 31 skills takes 0.1 ms
 * instead of 9 (`npm run bench -- reads`, column "first").
 */
export async function trustOfSkills(ctx: Ctx, rows: SkillRow[]): Promise<Map<string, Trust>> {
  const serving = rows.filter((row) => row.currentId !== null);
  const revision = ctx.tx ? null : await readApprovalRevision(ctx);
  const kept = storeOf(ctx.database, "kept-trust", () => new LRUCache<string, Kept>({ max: MAX_KEPT }));
  const now = Date.now();
  const trusts = new Map<string, Trust>();
  for (const row of serving) {
    const known = kept.get(row.id);
    const isValid = known?.revision === revision && now >= known.at && now - known.at < MAX_AGE_MS;
    // A tampered version is read again until its bytes are restored.
    const isIntact = row.current?.tampered === null;
    if (isValid && isIntact && known.of === basisOf(row)) trusts.set(row.id, known.trust);
  }
  const missing = serving.filter(({ id }) => !trusts.has(id));
  for (const [row, trust] of await checkTrustOf(ctx, missing)) {
    trusts.set(row.id, trust);
    if (revision !== null) kept.set(row.id, { revision, at: now, of: basisOf(row), trust });
  }
  return trusts;
}

/** What the checks read of a skill. */
function basisOf({ id, ownerKey, source, currentId }: SkillRow): string {
  return JSON.stringify([id, ownerKey, source, currentId]);
}

async function checkTrustOf(ctx: Ctx, rows: SkillRow[]): Promise<[SkillRow, Trust][]> {
  if (rows.length === 0) return [];
  const versions = await ctx.db.version.findMany({
    where: { id: { in: rows.flatMap((row) => row.currentId ?? []) } },
    include: withFilesAndDecisions,
  });
  const orders = await readActivationHistories(
    ctx,
    rows.map((row) => row.id),
  );
  const byId = new Map(versions.map((version) => [version.id, version]));
  return Promise.all(
    rows.map(async (row): Promise<[SkillRow, Trust]> => {
      const version = byId.get(row.currentId ?? "");
      return [row, version ? await trustOf(ctx, row, version, orders.get(row.id) ?? EMPTY_HISTORY) : NO_TRUST];
    }),
  );
}

/**
 * Revision that triggers raise with each change of versions, their files, decisions and the audited decisions. Keep what is
 * read after it under this number. Null when it is missing: then keep nothing.
 */
async function readApprovalRevision({ database }: Pick<Ctx, "database">): Promise<number | null> {
  return (await database.readSql.get(REVISION))?.value ?? null;
}
