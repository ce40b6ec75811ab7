import { z } from "zod";
import type { PersonActor } from "@/lib/core/actor";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Database } from "@/lib/db/database";
import type { Prisma } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { capDescription, capLabel } from "@/lib/skill-format/cap-description";
import { correctWord, createVocabulary, wordsOf } from "@/lib/skill-format/search-words";
import { listedTo, personaFilter, readFiltered } from "./access/list-filters";
import { releaseManifest } from "./approval/release-manifest";
import { findPublisher, ownedBy } from "./community/publishers";
import { presentSkills } from "./get-skill";
import type { ListSkillsQuery, Skill } from "./schema";
import { loadSkillRows, type SkillRow } from "./skill-access";

const Position = z.tuple([z.string(), z.string()]);

const MAX_TYPED = 12;
/** Skills whose words are read to correct a search without results. */
const MAX_READ = 5_000;
const NOTHING: Prisma.SkillWhereInput = { id: "" };

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

/**
 * The filter for a search among the skills that `listed` allows: each typed word must occur in name, label, description or
 * tags. A word that occurs in none of these skills is taken for a typing error, and the nearest words count in its place.
 */
async function searchFilter(
  ctx: Ctx,
  q: string | undefined,
  listed: readonly Prisma.SkillWhereInput[],
): Promise<Prisma.SkillWhereInput> {
  const typed = (q ?? "").split(/\s+/).filter(Boolean).slice(0, MAX_TYPED);
  const exact = typed.map((word) => withWord(ctx, word));
  if (typed.length === 0 || (await hasAny(ctx, [...listed, ...exact]))) return { AND: exact };
  const known = await Promise.all(exact.map((filter) => hasAny(ctx, [...listed, filter])));
  if (known.every(Boolean)) return { AND: exact };
  const vocabulary = await readVocabulary(ctx, listed);
  return {
    AND: typed.map((word, index) => {
      if (known[index]) return withWord(ctx, word);
      const parts = wordsOf(word);
      return parts.length === 0 ? NOTHING : { AND: parts.map((part) => withAny(ctx, correctWord(part, vocabulary))) };
    }),
  };
}

function withWord({ database }: Ctx, word: string): Prisma.SkillWhereInput {
  return {
    OR: [
      { name: containsText(database, word) },
      { slug: { contains: word.toLowerCase() } },
      { label: containsText(database, word) },
      { description: containsText(database, word) },
      { tags: containsText(database, word) },
    ],
  };
}

function withAny(ctx: Ctx, words: readonly string[]): Prisma.SkillWhereInput {
  return words.length === 0 ? NOTHING : { OR: words.map((word) => withWord(ctx, word)) };
}

async function hasAny(ctx: Ctx, where: Prisma.SkillWhereInput[]): Promise<boolean> {
  return (await ctx.db.skill.findFirst({ where: { AND: where }, select: { id: true } })) !== null;
}

async function readVocabulary(ctx: Ctx, listed: readonly Prisma.SkillWhereInput[]) {
  const rows = await ctx.db.skill.findMany({
    where: { AND: [...listed] },
    select: { name: true, label: true, tags: true },
    take: MAX_READ,
  });
  const counts = new Map<string, number>();
  for (const { name, label, tags } of rows) {
    for (const word of wordsOf(`${name} ${label ?? ""} ${tags}`, Number.POSITIVE_INFINITY))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return createVocabulary({ words: [...counts.keys()], counts: [...counts.values()] });
}

/**
 * Condition that a column contains a text, ignoring ASCII case. SQLite's LIKE does so by default; PostgreSQL needs a
 * mode that the types of SQLite's client lack.
 */
function containsText({ dialect }: Pick<Database, "dialect">, text: string): { contains: string } {
  if (dialect === "sqlite") return { contains: text };
  // In PostgreSQL a backslash escapes the next character.
  return Object.assign({ contains: text.replaceAll("\\", "\\\\") }, { mode: "insensitive" });
}
