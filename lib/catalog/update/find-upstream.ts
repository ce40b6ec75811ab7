import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { CatalogInstall } from "@/lib/db/generated/client";
import type { SkillRow } from "@/lib/skills/skill-access";
import { installedEntries, isUpdateOf, visibleCatalog } from "../browse/visible-catalog";
import type { EntryWithSource } from "../install/read-folder";

export type Upstream = EntryWithSource & { install: CatalogInstall };

/**
 * What an installed skill could be updated to. `conflict` with the reason when it did not come from the catalog, its source
 * is off or deleted, its folder is gone upstream, it cannot be installed, or nothing is new.
 */
export async function findUpstream(ctx: Ctx, skill: SkillRow): Promise<Upstream> {
  const install = await ctx.db.catalogInstall.findUnique({ where: { skillId: skill.id } });
  if (!install) throw new AppError("conflict", `“${skill.name}” did not come from the catalog.`);
  const { snapshot, sources } = await visibleCatalog(ctx);
  const [entryId] = installedEntries(snapshot, sources, [{ ...install, ownerKey: skill.ownerKey }]).keys();
  const entry = entryId === undefined ? null : await ctx.db.catalogEntry.findUnique({ where: { id: entryId } });
  const source = entry && sources.find(({ id }) => id === entry.sourceId);
  const where = `${install.owner}/${install.repo}`;
  if (!entry || !source) throw new AppError("conflict", `The catalog does not show ${where} any more.`);
  if (entry.state === "removed") {
    throw new AppError("conflict", `“${skill.name}” is no longer in ${where}; what is installed stays as it is.`);
  }
  if (!isUpdateOf({ ...entry, isRemoved: false }, install)) {
    throw new AppError("conflict", `“${skill.name}” is what ${where} has at ${install.ref}; there is no update.`);
  }
  if (entry.blockedCode !== null) {
    throw new AppError("conflict", `This update cannot be installed: ${entry.blockedReason ?? entry.blockedCode}`);
  }
  return { install, entry, source };
}
