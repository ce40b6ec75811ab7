import { LRUCache } from "lru-cache";
import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import { storeOf } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { assignVersionNames } from "./assign-version-names";

const MAX_KEPT = 50_000;
const IDS_AT_ONCE = 500;

const Stated = z.object({ version: z.string().nullish() });
type Stated = z.infer<typeof Stated>;

/**
 * The names of all versions of these skills, by version id: see `assignVersionNames`. What a version states is what it was
 * published as, else the version in its files.
 */
export async function nameVersions(ctx: Ctx, skillIds: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const some of inParts([...new Set(skillIds)])) {
    const rows = await ctx.db.version.findMany({
      where: { skillId: { in: some } },
      select: { id: true, skillId: true },
      orderBy: [{ skillId: "asc" }, { number: "asc" }],
    });
    const stated = await readStated(
      ctx,
      rows.map(({ id }) => id),
    );
    const bySkill = new Map<string, string[]>();
    for (const { id, skillId } of rows) bySkill.set(skillId, [...(bySkill.get(skillId) ?? []), id]);
    for (const versionIds of bySkill.values()) {
      const given = assignVersionNames(versionIds.map((id) => stated.get(id) ?? null));
      for (const [index, name] of given.entries()) names.set(versionIds[index] ?? "", name);
    }
  }
  return names;
}

/** What versions state never changes, so what was read once is kept. */
async function readStated(ctx: Ctx, ids: string[]): Promise<Map<string, string | null>> {
  const kept = storeOf(ctx.database, "stated-versions", () => new LRUCache<string, Stated>({ max: MAX_KEPT }));
  const found = new Map<string, string | null>();
  for (const id of ids) {
    const known = kept.get(id);
    if (known !== undefined) found.set(id, known.version ?? null);
  }
  for (const some of inParts(ids.filter((id) => !found.has(id)))) {
    const rows = await ctx.db.version.findMany({
      where: { id: { in: some } },
      select: { id: true, manifest: true, provenance: true },
    });
    for (const row of rows) {
      const published = parseJsonColumn(Stated, row.provenance).version;
      const version = published ?? parseJsonColumn(Stated, row.manifest).version ?? null;
      found.set(row.id, version);
      kept.set(row.id, { version });
    }
  }
  return found;
}

function inParts<T>(items: T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += IDS_AT_ONCE) parts.push(items.slice(at, at + IDS_AT_ONCE));
  return parts;
}
