import { isPerson } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { SkillClass } from "@/lib/skill-format/schema";
import { publisherRef } from "../publishers/present-publisher";
import { publishersOf } from "../publishers/publisher-of";
import { shownByPersona, shownTo } from "../shown-to";
import { type CollectionRow, managesCollection } from "./find-collection";
import type { Collection, CollectionItem } from "./schema";

/** Rows as the API gives them. What the caller does not see of their skills is left out, and not counted. */
export async function presentCollections(ctx: Ctx, rows: CollectionRow[]): Promise<Collection[]> {
  const items = await visibleItems(
    ctx,
    rows.flatMap(({ skills }) => skills.map(({ skillId }) => skillId)),
  );
  const owners = await ctx.db.user.findMany({
    where: { id: { in: rows.map(({ ownerId }) => ownerId) } },
    select: { id: true, name: true },
  });
  const names = new Map(owners.map(({ id, name }) => [id, name]));
  return rows.map((row) => {
    const skills = row.skills.flatMap(({ skillId }) => items.get(skillId) ?? []);
    return {
      id: row.id,
      slug: row.slug,
      title: row.title,
      description: row.description,
      visibility: row.visibility === "public" ? "public" : "private",
      owner: { id: row.ownerId, name: names.get(row.ownerId) ?? "" },
      count: skills.length,
      editable: managesCollection(ctx.actor, row),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      skills,
    };
  });
}

async function visibleItems(ctx: Ctx, ids: string[]): Promise<Map<string, CollectionItem>> {
  if (ids.length === 0 || !isPerson(ctx.actor)) return new Map();
  const found = await ctx.db.skill.findMany({
    where: { AND: [shownTo(ctx.actor), { id: { in: [...new Set(ids)] } }] },
    include: { current: true, pending: true },
  });
  const rows = found.filter(await shownByPersona(ctx, ctx.actor));
  const publishers = await publishersOf(ctx, rows);
  return new Map(
    rows.flatMap((row): [string, CollectionItem][] => {
      const publisher = publishers.get(row.ownerKey);
      if (publisher === undefined) return [];
      const item = {
        id: row.id,
        name: row.name,
        label: row.label,
        description: row.description,
        class: SkillClass.parse(row.class),
        enabled: row.enabled,
        digest: row.current?.digest ?? null,
        deprecated: row.deprecatedAt !== null,
        publisher: publisherRef(publisher),
      };
      return [[row.id, item]];
    }),
  );
}
