import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import { IsoTime, type Page, type PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import {
  installedEntries,
  isUpdateOf,
  type OwnInstall,
  ownInstalls,
  type VisibleCatalog,
  visibleCatalog,
} from "../browse/visible-catalog";
import { listedFiles } from "../install/read-folder";
import type { UpdateItem } from "./schema";

const Position = z.tuple([IsoTime, z.string()]);

/** Installed skills that changed or were removed upstream, or whose update is pending; latest first. */
export async function listUpdates(ctx: Ctx, query: PageQuery): Promise<Page<UpdateItem>> {
  const actor = requireScope(ctx.actor, "read");
  const after = query.cursor === undefined ? null : decodeCursor(Position, query.cursor);
  const shown = await visibleCatalog(ctx);
  const items: UpdateItem[] = [];
  for (const install of await ownInstalls(ctx, actor)) {
    const item = await describeUpdate(ctx, shown, install);
    if (item) items.push(item);
  }
  items.sort((a, b) => (isAfter(a, [b.changedAt, b.skillId]) ? 1 : -1));
  const rest = after === null ? items : items.filter((item) => isAfter(item, after));
  return toPage(rest, query.limit, (item) => [item.changedAt, item.skillId]);
}

function isAfter(item: UpdateItem, [changedAt, skillId]: z.infer<typeof Position>): boolean {
  return item.changedAt === changedAt ? item.skillId > skillId : item.changedAt < changedAt;
}

async function describeUpdate(ctx: Ctx, shown: VisibleCatalog, install: OwnInstall): Promise<UpdateItem | null> {
  const [entryId] = installedEntries(shown.snapshot, shown.sources, [install]).keys();
  const indexed = shown.snapshot.entries[shown.snapshot.byId.get(entryId ?? "") ?? -1];
  // Entries of disabled sources count as no update.
  if (indexed && !shown.sources.some(({ id }) => id === indexed.sourceId)) return null;
  const isRemoved = install.state === "removed" || indexed?.isRemoved === true;
  const isAvailable = indexed !== undefined && isUpdateOf(indexed, install);
  const pending = isRemoved || isAvailable ? null : await pendingUpdate(ctx, install);
  if (!isRemoved && !isAvailable && pending === null) return null;
  const entry = entryId === undefined ? null : await ctx.db.catalogEntry.findUnique({ where: { id: entryId } });
  const installed = await installedBlobs(ctx, install);
  const skill = await ctx.db.skill.findUniqueOrThrow({ where: { id: install.skillId } });
  const base = {
    skillId: skill.id,
    skillName: skill.name,
    slug: skill.slug,
    entryId: entry?.id ?? null,
    sourceId: install.sourceId,
    sourceLabel: shown.sources.find(({ id }) => id === entry?.sourceId)?.label ?? null,
    repository: `${install.owner}/${install.repo}`,
    ref: install.ref,
    folder: install.folder,
    blocked: entry?.blockedCode ? { code: entry.blockedCode, reason: entry.blockedReason ?? "" } : null,
  };
  const pin = { commit: install.commit, treeSha: install.treeSha };
  if (isRemoved) {
    const changedAt = (entry?.removedAt ?? install.updatedAt).toISOString();
    return { ...base, state: "removed", from: { ...pin, digest: install.digest }, to: null, files: [], changedAt };
  }
  if (pending !== null) {
    return {
      ...base,
      state: "pending",
      from: pending.from,
      to: pin,
      files: pending.files,
      changedAt: pending.at.toISOString(),
    };
  }
  if (entry === null) return null;
  return {
    ...base,
    state: "available",
    from: { ...pin, digest: install.digest },
    to: { commit: entry.commit, treeSha: entry.treeSha },
    files: changedFiles(installed, Object.fromEntries(listedFiles(entry).map(({ path, sha }) => [path, sha]))),
    changedAt: entry.changedAt.toISOString(),
  };
}

const Blobs = z.record(z.string(), z.string());
const Provenance = z.object({ commit: z.string(), treeSha: z.string(), blobs: Blobs }).partial();

async function pendingUpdate(ctx: Ctx, install: OwnInstall) {
  const version = await ctx.db.version.findUnique({
    where: { skillId_digest: { skillId: install.skillId, digest: install.digest } },
    include: { skill: { include: { current: true } } },
  });
  if (version?.state !== "pending" || version.number === 1) return null;
  const before =
    version.skill.current ??
    (await ctx.db.version.findUnique({
      where: { skillId_number: { skillId: install.skillId, number: version.number - 1 } },
    }));
  if (!before) return null;
  const { commit = "", treeSha = "", blobs = {} } = parseJsonColumn(Provenance, before.provenance);
  return {
    from: { commit, treeSha, digest: before.digest },
    files: changedFiles(blobs, await installedBlobs(ctx, install)),
    at: version.createdAt,
  };
}

async function installedBlobs(ctx: Ctx, { skillId }: OwnInstall): Promise<Record<string, string>> {
  const row = await ctx.db.catalogInstall.findUniqueOrThrow({ where: { skillId }, select: { blobs: true } });
  return parseJsonColumn(Blobs, row.blobs);
}

function changedFiles(before: Record<string, string>, after: Record<string, string>): UpdateItem["files"] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return paths.flatMap((path) => {
    if (before[path] === after[path]) return [];
    const change = before[path] === undefined ? "added" : after[path] === undefined ? "removed" : "changed";
    return { path, change } as const;
  });
}
