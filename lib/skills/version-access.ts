import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { requireSkill, type SkillRow } from "./skill-access";

export const withFilesAndDecisions = {
  files: { orderBy: { path: "asc" } },
  decisions: { orderBy: { id: "asc" } },
} satisfies Prisma.VersionInclude;
export type VersionRow = Prisma.VersionGetPayload<{ include: typeof withFilesAndDecisions }>;

/** A version by digest (64 hex digits), of a skill that the caller may see; else `not_found`. */
export async function requireVersion(
  ctx: Ctx,
  idOrName: string,
  digest: string,
): Promise<{ skill: SkillRow; version: VersionRow }> {
  const skill = await requireSkill(ctx, idOrName);
  const version = await ctx.db.version.findUnique({
    where: { skillId_digest: { skillId: skill.id, digest: digest.toLowerCase() } },
    include: withFilesAndDecisions,
  });
  if (!version) throw new AppError("not_found", `“${skill.name}” has no version ${digest.slice(0, 64)}.`);
  return { skill, version };
}

/** A sentence, with a leading space, on how to activate an approved, inactive version; empty for all other versions. */
export function howToActivate(
  skill: { id: string; currentId: string | null },
  version: { id: string; number: number; digest: string; state: string },
): string {
  if (version.state !== "approved" || skill.currentId === version.id) return "";
  return ` Version ${version.number} is approved and not active: choose “Activate version” on it, or send POST /api/skills/${skill.id}/versions/${version.digest}/activate.`;
}
