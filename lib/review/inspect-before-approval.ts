import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { digestFiles } from "@/lib/skill-format/archive/digest-files";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import type { SkillRow } from "@/lib/skills/skill-access";
import type { VersionRow } from "@/lib/skills/version-access";
import { readVersionFiles, recordTampering } from "@/lib/skills/versions/read-blob";
import { scanVersion } from "./scan-version";

/** Any character the rules for hidden text could speak of; whether they do is for the scan to say. */
const MAY_BE_HIDDEN = /\p{Cf}|\p{Cn}|\p{Zl}|\p{Zp}|\p{Variation_Selector}/u;

/**
 * Before anybody signs: the stored bytes are those of the digest, or nothing is signed (`not_approved`, with an event); and
 * text that may hide something was scanned, so that an approval without a comment cannot be faster than the scan.
 */
export async function inspectBeforeApproval(
  ctx: Ctx,
  { skill, version }: { skill: SkillRow; version: VersionRow },
  comment: string,
): Promise<void> {
  const files = await readAsDigest(ctx, { skill, version }, "approved");
  if (comment !== "" || !files.some(({ bytes }) => MAY_BE_HIDDEN.test(new TextDecoder().decode(bytes)))) return;
  const scan = await ctx.db.versionScan.findUnique({ where: { versionId: version.id }, select: { versionId: true } });
  if (scan === null) await scanVersion(ctx, version.id);
}

/**
 * The files of a version, of which the stored bytes are those of the digest; `not_approved`, with an event, when they are not.
 * `become`: what the version cannot become then.
 */
export async function readAsDigest(
  ctx: Ctx,
  { skill, version }: { skill: SkillRow; version: VersionRow },
  become: "approved" | "active",
): Promise<SkillFile[]> {
  const isWhole =
    digestFiles(version.files.map((file) => ({ ...file, mode: file.mode as "644" | "755" }))) === version.digest;
  const problem = "its stored files are not those of its digest";
  try {
    if (isWhole) return await readVersionFiles(ctx, version);
    await recordTampering(ctx, { skill, versionDigest: version.digest, problem });
  } catch (error) {
    // The event of changed bytes is there already.
    if (!(error instanceof AppError) || error.code !== "version_tampered") throw error;
  }
  throw new AppError(
    "not_approved",
    `Version ${version.digest.slice(0, 7)} cannot be ${become === "active" ? "made active" : become}: ${problem}.`,
  );
}
