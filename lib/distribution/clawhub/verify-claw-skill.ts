import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { assertUntampered } from "../build-archive";
import type { Viewer } from "../identify-viewer";
import { publicAddress } from "../public-address";
import { displayNameOf, type Published } from "../published";
import { findPinned, findUntampered } from "./find-skill";
import { approvedSentence, moderate, withdrawalOf } from "./moderate";
import { updatedAt } from "./present-skill";
import type { Pin, SkillReference, VerdictsInput } from "./schema";

/**
 * `GET /api/v1/skills/{slug}/verify`: returns the digest and signatures of the approval. `fail` when the stored version
 * differs from the approved one.
 */
export async function verifyClawSkill(ctx: Ctx, { slug, ownerHandle, version, tag }: SkillReference & Pin) {
  const { published, name } = await findPinned(ctx, { slug, ownerHandle }, { version, tag });
  const { skill, publisher } = published;
  const problem = await assertUntampered(ctx, published).then(() => null, withdrawalOf);
  const isUntampered = problem === null;
  return {
    schema: "clawhub.skill.verify.v1" as const,
    ok: isUntampered,
    decision: isUntampered ? ("pass" as const) : ("fail" as const),
    reasons: isUntampered ? [] : [problem.reason],
    slug: skill.slug,
    displayName: displayNameOf(skill),
    pageUrl: pageOf(published),
    publisherHandle: publisher.handle,
    publisherDisplayName: publisher.displayName,
    publisherProfileUrl: publicAddress(`/publishers/${publisher.handle}`),
    version: name,
    resolvedFrom:
      version !== undefined && version !== "latest"
        ? ("version" as const)
        : tag
          ? ("tag" as const)
          : ("latest" as const),
    tag: tag ?? null,
    createdAt: updatedAt(published),
    card: {},
    artifact: {
      kind: "archive",
      format: "zip",
      sha256: published.package.zipSha256,
      size: published.package.zipSize,
      digest: `sha256:${published.digest}`,
    },
    provenance: { source: skill.source },
    security: isUntampered
      ? { status: "clean", passed: true, summary: approvedSentence(published, 0) }
      : { status: "failed", passed: false, summary: problem.message },
    signature: await signatureOf(ctx, published),
  };
}

/** `POST /api/v1/skills/-/security-verdicts`: one answer per item, in order. */
export async function readVerdicts({ ctx, isPublic }: Viewer, { items }: VerdictsInput) {
  const answers = [];
  for (const item of items) answers.push(await verdictOf(ctx, item, isPublic));
  return { schema: "clawhub.skill.security-verdicts.v1" as const, items: answers };
}

async function verdictOf(ctx: Ctx, { slug, ownerHandle, version }: VerdictsInput["items"][number], isPublic: boolean) {
  const requested = {
    requestedSlug: slug,
    requestedOwnerHandle: ownerHandle ?? null,
    requestedVersion: version ?? null,
    checkedAt: ctx.now().getTime(),
  };
  try {
    const { published, name } = await findUntampered(ctx, { slug, ownerHandle }, { version: version ?? undefined });
    const { reasonCodes, summary } = await moderate(ctx, published);
    const comment = isPublic ? null : await commentOf(ctx, published);
    const signal = { status: "clean", reasonCodes };
    return {
      ...requested,
      ok: true as const,
      decision: "pass" as const,
      overview: comment ?? summary,
      reasons: [],
      slug: published.skill.slug,
      displayName: displayNameOf(published.skill),
      publisherHandle: published.publisher.handle,
      publisherDisplayName: published.publisher.displayName,
      version: name,
      createdAt: updatedAt(published),
      skillUrl: pageOf(published),
      securityAuditUrl: `${pageOf(published)}?tab=versions`,
      security: {
        status: "clean",
        passed: true,
        signals: { staticScan: signal, virusTotal: null, skillSpector: null, dependencyRegistry: null },
      },
    };
  } catch (error) {
    const isUnknown = error instanceof AppError && error.code === "not_found";
    const { reason, message } = isUnknown ? { reason: "not_found", message: error.message } : withdrawalOf(error);
    return {
      ...requested,
      ok: false as const,
      decision: "fail" as const,
      overview: message,
      reasons: [reason],
      error: { code: reason, message },
    };
  }
}

/** Comment of the latest approval, for people of this instance only. */
async function commentOf(ctx: Ctx, { version }: Published): Promise<string | null> {
  const decision = await ctx.db.decision.findFirst({
    where: { versionId: version.id, decision: "approve", standing: "counts" },
    orderBy: { id: "desc" },
    select: { comment: true },
  });
  return decision?.comment.trim() || null;
}

async function signatureOf(ctx: Ctx, { version }: Published) {
  const decisions = await ctx.db.decision.findMany({
    where: { versionId: version.id, standing: "counts" },
    select: { signature: true, keyId: true },
    orderBy: { id: "asc" },
  });
  const [first] = decisions;
  return { algorithm: "ed25519", keyId: first?.keyId ?? null, signatures: decisions.map(({ signature }) => signature) };
}

function pageOf({ skill }: Published): string {
  return publicAddress(`/skills/${skill.id}`);
}
