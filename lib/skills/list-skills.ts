import { z } from "zod";
import type { PersonActor } from "@/lib/core/actor";
import type { Page } from "@/lib/core/schema";
import { containsText } from "@/lib/db/contains-text";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Prisma } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { capDescription, capLabel } from "@/lib/skill-format/cap-description";
import { listedTo, personaFilter, readFiltered } from "./access/list-filters";
import { releaseManifest } from "./approval/release-manifest";
import { findPublisher, ownedBy } from "./community/publishers";
import { presentSkills } from "./get-skill";
import type { ListSkillsQuery, Skill } from "./schema";
import { searchFilter } from "./search-filter";
import { loadSkillRows, type SkillRow } from "./skill-access";

const Position = z.tuple([z.string(), z.string()]);

/** Lists visible skills by name with shortened descriptions; agents get those that their persona allows. */
export async function listSkills(ctx: Ctx, query: ListSkillsQuery): Promise<Page<Skill>> {
  const actor = requireScope(ctx.actor, "read");
  const after = query.cursor === undefined ? null : decodeCursor(Position, query.cursor);
  const listed = [
    listedTo(actor),
    filters(query, ctx.database),
    ownerFilter(actor, query),
    await builtinFilter(query),
    await marksFilter(ctx, actor, query),
  ];
  const where = [...listed, await searchFilter(ctx, query.q, listed)];
  const take = query.limit + 1;
  const positionOf = ({ slug, id }: SkillRow): z.infer<typeof Position> => [slug, id];
  const rows = await readFiltered(take, after, {
    readPage: async (from) => {
      const found = await ctx.db.skill.findMany({
        where: {
          AND: [...where, from ? { OR: [{ slug: { gt: from[0] } }, { slug: from[0], id: { gt: from[1] } }] } : {}],
        },
        orderBy: [{ slug: "asc" }, { id: "asc" }],
        take,
        select: { id: true },
      });
      const ids = found.map(({ id }) => id);
      return loadSkillRows(ctx, ids);
    },
    positionOf,
    isShown: await personaFilter(ctx, actor),
  });
  const page = toPage(rows, query.limit, positionOf);
  const items = await presentSkills(ctx, page.items);
  return {
    items: items.map((skill) => ({
      ...skill,
      description: capDescription(skill.description),
      whenToUse: skill.whenToUse && capDescription(skill.whenToUse),
      label: skill.label && capLabel(skill.label),
    })),
    nextCursor: page.nextCursor,
  };
}

/** A built-in is recognized by its active or pending version; without approval it counts as any other skill. */
async function builtinFilter({ builtin }: ListSkillsQuery): Promise<Prisma.SkillWhereInput> {
  if (builtin === undefined) return {};
  const digests = (await releaseManifest()).builtins.map(({ digest }) => digest);
  const versions = [{ current: { digest: { in: digests } } }, { pending: { digest: { in: digests } } }];
  return builtin ? { source: "worker", OR: versions } : { NOT: { source: "worker", OR: versions } };
}

function ownerFilter({ userId }: PersonActor, { owner }: ListSkillsQuery): Prisma.SkillWhereInput {
  const mine = ownedBy({ userId });
  const organisation = ownedBy({ userId: null });
  if (owner === "me") return mine;
  if (owner === "org") return organisation;
  // Skills of the organisation have no owner id, so "other than mine" is not `NOT` alone: SQL drops nulls.
  return owner === "shared" ? { ownerId: { not: null }, NOT: [mine, organisation] } : {};
}

async function marksFilter(
  ctx: Ctx,
  actor: PersonActor,
  { publisher, starred }: ListSkillsQuery,
): Promise<Prisma.SkillWhereInput> {
  const named = publisher === undefined ? null : await findPublisher(ctx, publisher);
  const stars =
    starred === undefined
      ? []
      : await ctx.db.star.findMany({ where: { userId: actor.userId }, select: { skillId: true } });
  const ids = stars.map(({ skillId }) => skillId);
  return {
    AND: [
      publisher === undefined ? {} : named === null ? { id: "" } : ownedBy(named),
      starred === undefined ? {} : { id: starred ? { in: ids } : { notIn: ids } },
    ],
  };
}

function filters(query: ListSkillsQuery, database: Ctx["database"]): Prisma.SkillWhereInput {
  return {
    ...(query.source ? { source: query.source } : {}),
    ...(query.class ? { class: query.class } : {}),
    ...(query.enabled === undefined ? {} : { enabled: query.enabled }),
    ...(query.scope ? { scope: query.scope } : {}),
    ...(query.lifecycle ? { lifecycle: query.lifecycle } : {}),
    ...(query.category ? { category: query.category } : {}),
    // Tags are stored as a JSON array, so the quotes match whole tags.
    ...(query.tag ? { tags: containsText(database, JSON.stringify(query.tag)) } : {}),
    ...(query.state === "approved" ? { currentId: { not: null } } : {}),
    ...(query.state === "pending" ? { pendingId: { not: null } } : {}),
    ...(query.state === "none" ? { currentId: null, pendingId: null } : {}),
  };
}
