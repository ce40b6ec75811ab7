import { sha256Hex } from "@/lib/core/hash";
import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { HOSTILE_MARKS } from "@/lib/policy/analysis/schema";
import { Grants } from "@/lib/policy/grants/schema";
import { describeExtraPermissions, extraPermissions } from "@/lib/policy/plain-sandbox";
import { SkillManifest } from "@/lib/skill-format/schema";
import { highestOf } from "@/lib/skills/approval/approval-round";
import { withFilesAndDecisions } from "@/lib/skills/version-access";
import { presentFindings } from "@/lib/skills/versions/present-findings";
import { findUnexplainedText, schemaErrors } from "../approval-checks";
import { findProblem } from "./check-version";
import { BundleVersion } from "./format";
import { openManifest } from "./signed-manifest";

/** The signer of approvals that count because an admin trusts another instance; also in `Decision.actorId`. */
export function signerOfInstance(keyId: string): string {
  return `instance:${keyId}`;
}

export const withReviewedVersion = {
  version: { include: { ...withFilesAndDecisions, skill: { include: { current: true, pending: true } } } },
} satisfies Prisma.ForeignReviewInclude;
export type ReviewedVersion = Prisma.ForeignReviewGetPayload<{ include: typeof withReviewedVersion }>;

/** Whether the report of a dry run lists a hostile act. */
export function isHostile({ reportJson }: BundleVersion["analyses"][number]): boolean {
  return HOSTILE_MARKS.some((mark) => reportJson.includes(mark));
}

/** The stored record of a foreign review. */
export function recordOf({ record }: { record: string }): BundleVersion {
  return BundleVersion.parse(JSON.parse(record));
}

/**
 * Why the approval of another instance, were it trusted, would not count for a version here, as a clause; null when it
 * would. It counts for the version that is active there, of class safe and inside the plain sandbox, on which no person
 * here has decided. Checks the stored record again with the key of the instance.
 */
export async function whyNotCountable(ctx: Ctx, review: ReviewedVersion): Promise<string | null> {
  const { version } = review;
  const record = recordOf(review);
  if (record.state !== "approved") return `its version there is ${record.state.replace("_", " ")}`;
  if (!record.isActive) return "it is not the active version there";
  if (version.state !== "pending") return `the version is ${version.state.replace("_", " ")} here already`;
  const signer = signerOfInstance(review.keyId);
  if (version.decisions.some(({ actorId }) => actorId !== signer)) return "people here have decided on the version";
  const highest = highestOf(version, record.class ?? "dangerous");
  if (highest !== "safe") return `it is ${highest}, which people of this instance must sign`;
  const manifest = keepParsed(SkillManifest, version.manifest);
  const grants = keepParsed(Grants, record.grants ?? "{}");
  if (record.entry !== null) return "a reviewer chose the script that it runs, which people of this instance must sign";
  const beyond = extraPermissions(manifest, { grants, entry: null, files: version.files });
  if (beyond.length > 0) return `${describeExtraPermissions(beyond)}, which people of this instance must sign`;
  const refused = { digest: version.digest, state: { in: ["revoked", "rejected"] } };
  if ((await ctx.db.version.count({ where: refused })) > 0) return "the same files were rejected or revoked here";
  if (record.analyses.some(isHostile)) return "a dry run there observed a hostile act";
  if (schemaErrors(version).length > 0) return "its schema is invalid";
  return (await findOpenFinding(ctx, version)) ?? (await findForgery(ctx, review, record));
}

async function findOpenFinding(ctx: Ctx, version: ReviewedVersion["version"]): Promise<string | null> {
  const scan = await ctx.db.versionScan.findUnique({ where: { versionId: version.id } });
  if (scan === null) return "it has not been scanned here yet";
  const severe = (await presentFindings(ctx, version)).find(
    ({ dismissed, severity }) => dismissed === null && (severity === "critical" || severity === "high"),
  );
  if (severe !== undefined) return `the finding ${severe.rule} in ${severe.path}, line ${severe.line}, is open here`;
  const hidden = await findUnexplainedText(ctx, version, "");
  return hidden === null ? null : `${hidden.path} has hidden characters in line ${hidden.line}`;
}

/** The database may have been changed since the import. */
async function findForgery(ctx: Ctx, review: ReviewedVersion, record: BundleVersion): Promise<string | null> {
  const bundle = await ctx.db.bundle.findUnique({ where: { digest: review.bundleDigest } });
  const changed = "the stored record is not the one that the instance signed";
  if (bundle === null || sha256Hex(bundle.envelope) !== bundle.digest) return changed;
  const { manifest, publicKey } = openManifest(bundle.envelope);
  const { keyId } = manifest.instance;
  const isSigned = manifest.versions.some(({ sha256 }) => sha256 === sha256Hex(review.record));
  if (keyId !== review.keyId || !isSigned || record.digest !== review.version.digest) return changed;
  return findProblem(record, manifest, { keyId, publicKey });
}
