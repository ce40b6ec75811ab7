import { z } from "zod";
import { findPersona } from "@/lib/auth/find-persona";
import type { PersonActor } from "@/lib/core/actor";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Prisma } from "@/lib/db/generated/client";
import { findEntry } from "@/lib/policy/eligibility/find-entry";
import { whyKeptAway } from "@/lib/policy/match-skill-lists";
import { requireScope, seesAll } from "@/lib/policy/require-scope";
import { readEligibilityPolicy } from "./access/eligibility-policy";
import { addressOf } from "./access/judge-stored-skill";
import { presentSkills } from "./present-skill";
import { releaseManifest } from "./release-manifest";
import type { ListSkillsQuery, Skill } from "./schema";
import { scopeCaller } from "./scopes/scope-caller";
import { type SkillRow, visibleTo } from "./skill-access";

const Position = z.tuple([z.string(), z.string()]);

/** Skills the caller may see, by name. An agent sees those that its persona’s lists leave it and no admin hides. */
export async function listSkills(ctx: Ctx, query: ListSkillsQuery): Promise<Page<Skill>> {
  const actor = requireScope(ctx.actor, "read");
  const after = query.cursor === undefined ? null : decodeCursor(Position, query.cursor);
  const persona = await findPersona(ctx, actor);
  if (persona === "missing") return { items: [], nextCursor: null };
  const policy = persona === null ? null : await readEligibilityPolicy(ctx);
  const rows = await readRows(ctx, {
    where: { AND: [visibleTo(actor), listedFor(actor), filters(query), await builtinFilter(query)] },
    after,
    wanted: query.limit + 1,
    isShown: (row) =>
      persona === null ||
      policy === null ||
      (whyKeptAway(persona, row) === null && findEntry(policy, addressOf(row))?.entry.enabled !== false),
  });
  const page = toPage(rows, query.limit, (row) => [row.slug, row.id]);
  return { items: await presentSkills(ctx, page.items), nextCursor: page.nextCursor };
}

/** What an admin took off the list stays in sight of those who can put it right. */
function listedFor(actor: PersonActor): Prisma.SkillWhereInput {
  if (scopeCaller(actor).personaId !== null) return { listed: true };
  return seesAll(actor) ? {} : { OR: [{ listed: true }, { ownerId: actor.userId }] };
}

type Reading = {
  where: Prisma.SkillWhereInput;
  after: z.infer<typeof Position> | null;
  wanted: number;
  isShown: (row: SkillRow) => boolean;
};

/** Reads on until enough rows are shown: which skills a persona’s lists name cannot be asked of the database. */
async function readRows(ctx: Ctx, { where, after, wanted, isShown }: Reading): Promise<SkillRow[]> {
  const shown: SkillRow[] = [];
  for (let from = after; ; ) {
    const rows = await ctx.db.skill.findMany({
      where: { AND: [where, from ? isAfter(from) : {}] },
      orderBy: [{ slug: "asc" }, { id: "asc" }],
      take: wanted,
      include: { current: true, pending: true },
    });
    shown.push(...rows.filter(isShown).slice(0, wanted - shown.length));
    const last = rows.at(-1);
    if (!last || rows.length < wanted || shown.length === wanted) return shown;
    from = [last.slug, last.id];
  }
}

/**
 * Built-ins are known by what they serve, or are about to while the release's approval is on its way; one whose approval
 * was taken back is like any other skill.
 */
async function builtinFilter({ builtin }: ListSkillsQuery): Promise<Prisma.SkillWhereInput> {
  if (builtin === undefined) return {};
  const digests = (await releaseManifest()).builtins.map(({ digest }) => digest);
  const versions = [{ current: { digest: { in: digests } } }, { pending: { digest: { in: digests } } }];
  return builtin ? { source: "worker", OR: versions } : { NOT: { source: "worker", OR: versions } };
}

function isAfter([slug, id]: z.infer<typeof Position>): Prisma.SkillWhereInput {
  return { OR: [{ slug: { gt: slug } }, { slug, id: { gt: id } }] };
}

function filters(query: ListSkillsQuery): Prisma.SkillWhereInput {
  const words = (query.q ?? "").split(/\s+/).filter(Boolean);
  return {
    ...(query.source ? { source: query.source } : {}),
    ...(query.class ? { class: query.class } : {}),
    ...(query.enabled === undefined ? {} : { enabled: query.enabled }),
    ...(query.scope ? { scope: query.scope } : {}),
    ...(query.lifecycle ? { lifecycle: query.lifecycle } : {}),
    ...(query.category ? { category: query.category } : {}),
    // Tags are kept as a JSON array, so a whole tag stands between quotes.
    ...(query.tag ? { tags: { contains: JSON.stringify(query.tag) } } : {}),
    ...(query.state === "approved" ? { currentId: { not: null } } : {}),
    ...(query.state === "pending" ? { pendingId: { not: null } } : {}),
    ...(query.state === "none" ? { currentId: null, pendingId: null } : {}),
    AND: words.map((word) => ({
      OR: [
        { name: { contains: word } },
        { slug: { contains: word.toLowerCase() } },
        { label: { contains: word } },
        { description: { contains: word } },
        { tags: { contains: word } },
      ],
    })),
  };
}
