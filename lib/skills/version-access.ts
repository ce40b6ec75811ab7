import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Prisma, Version } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { loadFilesAndDecisions, requireSkill, type SkillRow, VERSION_KINDS } from "./skill-access";

export const withFilesAndDecisions = {
  files: { orderBy: { path: "asc" } },
  decisions: { orderBy: { id: "asc" } },
} satisfies Prisma.VersionInclude;
export type VersionRow = Prisma.VersionGetPayload<{ include: typeof withFilesAndDecisions }>;

const VERSION = query<Version>(`SELECT * FROM "Version" WHERE "skillId" = ? AND "digest" = ?`, VERSION_KINDS);

/** A version by digest (64 hex digits), of a skill that the caller may see; else `not_found`. */
export async function requireVersion(
  ctx: Ctx,
  idOrName: string,
  digest: string,
): Promise<{ skill: SkillRow; version: VersionRow }> {
  const skill = await requireSkill(ctx, idOrName);
  const row = await sqlOf(ctx).get(VERSION, skill.id, digest.toLowerCase());
  const version = row && { ...row, ...(await loadFilesAndDecisions(ctx, row.id)) };
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
