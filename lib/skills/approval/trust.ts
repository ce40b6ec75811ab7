import { loadSigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import { isSignatureOf } from "@/lib/policy/approval-statement";
import { findTamperedFile } from "@/lib/skills/versions/read-blob";
import { type Trust, TrustTier } from "@/lib/skills/versions/schema";
import { type ActivationHistory, whyNotServable } from "./check-servable";
import { checkStoredApproval, isShownAsSigned, type ShownDecision, type StoredApproval } from "./check-stored-approval";
import { findReleased } from "./release-manifest";

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
