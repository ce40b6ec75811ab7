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
 * Where the bytes of a version came from, as the tier that an approval of it gets. Of what workers bring along only the very
 * bytes of this release's built-ins are bundled; a pack from an operator's directory is as much a workspace's as an upload.
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

/**
 * Tier and signature of a version, from what is stored now. The bytes of a version in which changed ones were found are read
 * again each time, until they are right. `order`: what statements and audit say of all versions of the skill.
 */
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
    : { tier: "unreviewed", signature: "failed", problem: `What is stored is not what was approved: ${problem}.` };
}

/** Tier at the time of a decision, and whether its own signature fits its own statement. */
export async function trustOfDecision(
  ctx: Pick<Ctx, "database">,
  decision: ShownDecision & { signature: string | null; keyId: string | null },
): Promise<Trust> {
  const tier = TrustTier.catch("unreviewed").parse(decision.tier);
  const { statement, signature, keyId } = decision;
  if (statement === null || signature === null) return { tier, signature: "unsigned", problem: null };
  const key = await loadSigningKey(ctx.database.keyFolder);
  if (keyId !== key.keyId) {
    return { tier, signature: "failed", problem: "It is signed with a key that is not this instance’s." };
  }
  if (!isSignatureOf(key.publicKey, statement, signature)) {
    return { tier, signature: "failed", problem: "Its signature does not fit what it signs." };
  }
  if (isShownAsSigned(decision)) return { tier, signature: "verified", problem: null };
  return { tier, signature: "failed", problem: "What is stored of it is not what was signed." };
}
