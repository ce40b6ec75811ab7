import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { SkillFile } from "@/lib/skill-format/skill-file";
import { writeZip } from "@/lib/skill-format/write-zip";
import { readBlob } from "./get-version-file";
import { requireSkill } from "./skill-access";
import { requireVersion } from "./version-access";

export type ExportedSkill = {
  filename: string;
  contentType: "text/markdown" | "application/zip";
  bytes: Uint8Array<ArrayBuffer>;
  digest: string;
};

/**
 * The stored bytes of a version: its SKILL.md alone, or a zip with everything under the skill's name. Without a digest,
 * the approved version, else the newest.
 */
export async function exportSkill(ctx: Ctx, idOrName: string, digest?: string): Promise<ExportedSkill> {
  const skill = await requireSkill(ctx, idOrName);
  const chosen = digest ?? skill.current?.digest ?? skill.pending?.digest ?? (await newestDigest(ctx, skill.id));
  const { version } = await requireVersion(ctx, skill.id, chosen);
  const files: SkillFile[] = [];
  for (const file of version.files) {
    files.push({ path: file.path, mode: file.mode === "755" ? "755" : "644", bytes: await readBlob(ctx, file.sha256) });
  }
  const [only] = files;
  if (files.length === 1 && only && only.path === "SKILL.md" && only.mode === "644") {
    return {
      filename: "SKILL.md",
      contentType: "text/markdown",
      bytes: new Uint8Array(only.bytes),
      digest: version.digest,
    };
  }
  const bytes = new Uint8Array(await writeZip(skill.slug, files));
  return { filename: `${skill.slug}.zip`, contentType: "application/zip", bytes, digest: version.digest };
}

async function newestDigest(ctx: Ctx, skillId: string): Promise<string> {
  const newest = await ctx.db.version.findFirst({ where: { skillId }, orderBy: { number: "desc" } });
  if (!newest) throw new AppError("not_found", "This skill has no version.");
  return newest.digest;
}
