import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { pickOffered } from "./find-version";
import { knownTo } from "./offered-skills";
import { presentOne } from "./present-published";
import { type Published, publishedVersion } from "./published";

type Wanted = { version: Prisma.VersionWhereInput; skills: Prisma.SkillWhereInput };

/**
 * Finds one version, active or not, among these skills. Throws `not_found` for what was never published or is hidden from
 * the viewer, `gone` for what was withdrawn, `version_tampered` when its stored bytes were changed.
 */
export async function findOffered(ctx: Ctx, { version, skills }: Wanted): Promise<Published> {
  const rows = await ctx.db.version.findMany({
    where: { AND: [version, { skill: { AND: [knownTo(ctx.actor), skills] } }] },
    select: { ...publishedVersion, skill: true },
    orderBy: { id: "asc" },
  });
  const candidates = rows.map(({ skill, ...found }) => ({ skill, version: found }));
  const published = await presentOne(ctx, await pickOffered(ctx, candidates));
  if (published === undefined) throw new AppError("not_found", "This skill is not offered to other programs.");
  return published;
}
