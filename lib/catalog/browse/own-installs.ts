import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import type { CatalogInstall } from "@/lib/db/generated/client";
import { ORG } from "@/lib/skills/skill-access";

/** Without the list of its files, which is long and seldom asked for. */
export type OwnInstall = Omit<CatalogInstall, "blobs"> & { ownerKey: string };

/** What came out of the catalog and belongs to the caller or to the organisation, the caller's own first. */
export async function ownInstalls(ctx: Ctx, actor: PersonActor): Promise<OwnInstall[]> {
  const skills = await ctx.db.skill.findMany({
    where: { deletedAt: null, source: "catalog", ownerKey: { in: [actor.userId, ORG] } },
    select: { id: true, ownerKey: true },
  });
  const owners = new Map(skills.map((skill) => [skill.id, skill.ownerKey]));
  if (owners.size === 0) return [];
  const rows = await ctx.db.catalogInstall.findMany({ omit: { blobs: true }, orderBy: { skillId: "asc" } });
  return rows
    .flatMap((row) => {
      const ownerKey = owners.get(row.skillId);
      return ownerKey === undefined ? [] : [{ ...row, ownerKey }];
    })
    .sort((a, b) => Number(a.ownerKey === ORG) - Number(b.ownerKey === ORG));
}
