import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import type { Ctx } from "@/lib/db/context";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { writeZip } from "@/lib/skill-format/export/write-archive";
import { writeSpec } from "@/lib/skill-format/export/write-spec";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { assertStepsAllowed } from "@/lib/skills/pipeline/refused-pipelines";
import { requireSkill } from "@/lib/skills/skill-access";
import { requireVersion } from "@/lib/skills/version-access";
import { assertAgentMayRead, isWithheld } from "@/lib/skills/versions/agent-file-access";
import { readVersionFiles } from "@/lib/skills/versions/read-blob";
import type { ExportQuery } from "./schema";

export type ExportedSkill = {
  filename: string;
  contentType: "text/markdown" | "application/zip";
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
  /** Number of scripts withheld from an agent, because no reviewer granted them. */
  withheld: number;
};

/**
 * Exports a version as its single SKILL.md, or as a zip with a folder of the skill's name. `original` has the stored
 * bytes, `spec` a standard SKILL.md. Default: the active version, else the pending or newest. Agents get only approved
 * versions (`not_approved`), without scripts that no reviewer granted.
 */
export async function exportSkill(ctx: Ctx, idOrName: string, query: ExportQuery): Promise<ExportedSkill> {
  const skill = await requireSkill(ctx, idOrName);
  const digest = query.version ?? skill.current?.digest ?? skill.pending?.digest ?? (await newestDigest(ctx, skill.id));
  const { version } = await requireVersion(ctx, skill.id, digest);
  await assertStepsAllowed(ctx, skill);
  assertAgentMayRead(ctx.actor, skill, version);
  const served = version.files.filter((file) => !isWithheld(ctx.actor, version, file));
  const withheld = version.files.length - served.length;
  const stored = await readVersionFiles(ctx, { files: served });
  const folder = /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(skill.name) ? skill.name : skill.slug;
  const files = query.as === "spec" ? writeSpec(stored, readSkill(stored, { folder }).manifest).files : stored;
  const etag = sha256Hex(`${version.digest} ${query.as} ${withheld}`);
  return { ...(await pack(folder, files)), etag, withheld };
}

async function pack(folder: string, files: SkillFile[]): Promise<Omit<ExportedSkill, "etag" | "withheld">> {
  const [only] = files;
  if (files.length === 1 && only?.path === "SKILL.md" && only.mode === "644") {
    return { filename: "SKILL.md", contentType: "text/markdown", bytes: new Uint8Array(only.bytes) };
  }
  const bytes = await writeZip(folder, files);
  return { filename: `${folder}.zip`, contentType: "application/zip", bytes };
}

async function newestDigest(ctx: Ctx, skillId: string): Promise<string> {
  const newest = await ctx.db.version.findFirst({ where: { skillId }, orderBy: { number: "desc" } });
  if (!newest) throw new AppError("not_found", "This skill has no version.");
  return newest.digest;
}
