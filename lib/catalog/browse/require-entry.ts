import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { CatalogEntry } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { installedEntries } from "./installed-entries";
import { ownInstalls } from "./own-installs";
import type { Shown } from "./present-items";
import { currentSnapshot } from "./snapshot";
import { type VisibleSource, visibleSources } from "./visible-sources";

/** What the caller sees of the catalog: its entries, the sources that are on, and what is installed. */
export async function shownCatalog(ctx: Ctx): Promise<Shown> {
  const actor = requireScope(ctx.actor, "read");
  const [snapshot, sources, installs] = await Promise.all([
    currentSnapshot(ctx),
    visibleSources(ctx),
    ownInstalls(ctx, actor),
  ]);
  return { snapshot, sources, installed: installedEntries(snapshot, sources, installs) };
}

/** The entry of this id with its source; `not_found` also when its source is off, or it is gone and not installed. */
export async function requireEntry(
  ctx: Ctx,
  shown: Pick<Shown, "sources" | "installed">,
  id: string,
): Promise<{ entry: CatalogEntry; source: VisibleSource }> {
  const entry = await ctx.db.catalogEntry.findUnique({ where: { id } });
  const source = shown.sources.find((candidate) => candidate.id === entry?.sourceId);
  if (!entry || !source || (entry.state === "removed" && !shown.installed.has(entry.id))) {
    throw new AppError("not_found", `The catalog has no entry “${id.slice(0, 100)}”.`);
  }
  return { entry, source };
}
