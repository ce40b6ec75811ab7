import { type ListedRow, readListedRows } from "@/lib/db/catalog-index";
import type { Ctx } from "@/lib/db/context";
import { sqlOf } from "@/lib/db/sql";
import { entryWebUrl } from "../entry-origin";
import { CatalogItem } from "../schema";
import type { VisibleCatalog, VisibleSource } from "./visible-catalog";

/** Formats entries for the API, in the given order; omits deleted ones. */
export async function presentItems(ctx: Ctx, shown: VisibleCatalog, ids: string[]): Promise<CatalogItem[]> {
  const rows = await readListedRows(sqlOf(ctx), ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    const source = row && shown.sources.find((candidate) => candidate.id === row.sourceId);
    return row && source ? [presentItem(shown, row, source)] : [];
  });
}

function presentItem(shown: VisibleCatalog, row: ListedRow, source: VisibleSource): CatalogItem {
  const { snapshot } = shown;
  const at = snapshot.byId.get(row.id);
  const twins = at === undefined ? [] : [at, ...(snapshot.groups[snapshot.groupOf[at] ?? -1] ?? [])];
  const install = twins.flatMap((twin) => shown.installed.get(snapshot.entries[twin]?.id ?? "") ?? []);
  const { owner, repo, refName: ref } = source;
  // The sync has checked the columns.
  return {
    id: row.id,
    sourceId: row.sourceId,
    sourceLabel: source.label,
    folder: row.folder,
    name: row.name,
    slug: row.slug,
    description: row.description,
    whenToUse: row.whenToUse,
    allowedTools: row.allowedTools === null ? null : (JSON.parse(row.allowedTools) as string[]),
    license: row.license,
    tags: JSON.parse(row.tags) as string[],
    category: row.category,
    kind: CatalogItem.shape.kind.parse(row.kind),
    class: CatalogItem.shape.class.parse(row.classGuess),
    hasScripts: row.hasScripts,
    files: row.filesCount,
    bytes: row.bytes,
    owner,
    repo,
    ref,
    commit: row.commit,
    treeSha: row.treeSha,
    webUrl: entryWebUrl(source, row),
    firstSeenAt: new Date(row.firstSeenAt).toISOString(),
    changedAt: new Date(row.changedAt).toISOString(),
    state: row.state === "removed" ? "removed" : "present",
    blocked: row.blockedCode === null ? null : { code: row.blockedCode, reason: row.blockedReason ?? "" },
    packIds: at === undefined ? [] : (snapshot.packsOf.get(at) ?? []),
    installed: install.length > 0,
    installedSkillId: install[0]?.skillId ?? null,
    updateAvailable: install.some(({ hasUpdate }) => hasUpdate),
    copies: at === undefined ? 1 : Math.max(1, copiesOf(shown, at).length),
  };
}

/** Entries of visible sources with the same bytes, this one included, as indexes into the snapshot. */
export function copiesOf({ snapshot, sources, installed }: VisibleCatalog, at: number): number[] {
  const visible = new Set(sources.map(({ id }) => id));
  return (snapshot.groups[snapshot.groupOf[at] ?? -1] ?? []).filter((copy) => {
    const entry = snapshot.entries[copy];
    return entry && visible.has(entry.sourceId) && (!entry.isRemoved || installed.has(entry.id));
  });
}
