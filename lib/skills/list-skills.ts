import { z } from "zod";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Prisma } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { presentSkills } from "./present-skill";
import type { ListSkillsQuery, Skill } from "./schema";
import { visibleTo } from "./skill-access";

const Position = z.tuple([z.string(), z.string()]);

/** Skills the caller may see, by name. */
export async function listSkills(ctx: Ctx, query: ListSkillsQuery): Promise<Page<Skill>> {
  const actor = requireScope(ctx.actor, "read");
  const after = query.cursor === undefined ? null : decodeCursor(Position, query.cursor);
  const rows = await ctx.db.skill.findMany({
    where: { AND: [visibleTo(actor), filters(query), after ? isAfter(after) : {}] },
    orderBy: [{ slug: "asc" }, { id: "asc" }],
    take: query.limit + 1,
    include: { current: true, pending: true },
  });
  const page = toPage(rows, query.limit, (row) => [row.slug, row.id]);
  return { items: await presentSkills(ctx, page.items), nextCursor: page.nextCursor };
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
