import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { shownCatalog } from "../browse/require-entry";
import type { PlacedEntry } from "./read-folder";

export type Wanted = { pack: { id: string; name: string } | null; entries: PlacedEntry[] };

/** What the id of an entry or of a pack stands for; `not_found` for one the caller cannot see, or whose entries are gone. */
export async function findEntries(ctx: Ctx, id: string): Promise<Wanted> {
  const shown = await shownCatalog(ctx);
  const sourceOf = (sourceId: string) => shown.sources.find((source) => source.id === sourceId);
  const pack = await ctx.db.catalogPack.findUnique({ where: { id }, select: { id: true, name: true, sourceId: true } });
  const members = (pack ? (shown.snapshot.packs.get(pack.id) ?? []) : []).flatMap(
    (at) => shown.snapshot.entries[at]?.id ?? [],
  );
  const rows = await ctx.db.catalogEntry.findMany({
    where: { id: { in: pack ? members : [id] } },
    orderBy: { folder: "asc" },
  });
  const entries = rows.flatMap((entry) => {
    const source = sourceOf(entry.sourceId);
    return source && entry.state === "present" ? [{ entry, source }] : [];
  });
  const [gone] = rows;
  if (entries.length === 0 && gone && sourceOf(gone.sourceId)) {
    throw new AppError("conflict", `“${pack?.name ?? gone.name}” is no longer in its repository.`);
  }
  if (entries.length === 0)
    throw new AppError("not_found", `The catalog has no entry and no pack “${id.slice(0, 100)}”.`);
  return { pack: pack && { id: pack.id, name: pack.name }, entries };
}
