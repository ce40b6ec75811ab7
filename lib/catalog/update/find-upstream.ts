import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { CatalogInstall } from "@/lib/db/generated/client";
import type { SkillRow } from "@/lib/skills/skill-access";
import { installedEntries, isUpdateOf, visibleCatalog } from "../browse/visible-catalog";
import type { EntryWithSource } from "../install/read-folder";

export type Upstream = EntryWithSource & { install: CatalogInstall };

/**
 * The upstream entry that an installed skill can be updated to. `conflict` with the reason when it did not come from
 * the catalog, its source is disabled or deleted, its folder was removed, it cannot be installed, or there is no
 * update.
 */
export async function findUpstream(ctx: Ctx, skill: SkillRow): Promise<Upstream> {
  const install = await ctx.db.catalogInstall.findUnique({ where: { skillId: skill.id } });
  if (!install) throw new AppError("conflict", `“${skill.name}” did not come from the catalog.`);
  const { snapshot, sources } = await visibleCatalog(ctx);
  const [entryId] = installedEntries(snapshot, sources, [{ ...install, ownerKey: skill.ownerKey }]).keys();
  const entry = entryId === undefined ? null : await ctx.db.catalogEntry.findUnique({ where: { id: entryId } });
  const source = entry && sources.find(({ id }) => id === entry.sourceId);
  const where = `${install.owner}/${install.repo}`;
  if (!entry || !source) {
    throw new AppError("conflict", `The catalog no longer shows ${where}: its source is hidden or deleted.`);
  }
  if (entry.state === "removed") {
    throw new AppError("conflict", `“${skill.name}” is no longer in ${where}. The installed version stays.`);
  }
  if (!isUpdateOf({ ...entry, isRemoved: false }, install)) {
    throw new AppError("conflict", `“${skill.name}” is up to date with ${where} at ${install.ref}.`);
  }
  if (entry.blockedCode !== null) {
    throw new AppError("conflict", `This update cannot be installed: ${entry.blockedReason ?? entry.blockedCode}`);
  }
  return { install, entry, source };
}
