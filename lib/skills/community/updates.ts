import { z } from "zod";
import { isPerson } from "@/lib/core/actor";
import { getEnv } from "@/lib/core/env";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Prisma } from "@/lib/db/generated/client";
import { hasScope } from "@/lib/policy/require-scope";
import { capDescription } from "@/lib/skill-format/cap-description";
import { listedTo, personaFilter, readFiltered } from "../access/list-filters";
import { publisherRef, publishersOf } from "./publishers";
import type { ListUpdatesQuery, Update } from "./schema";

const Position = z.tuple([z.iso.datetime(), z.string()]);
type UpdateRow = Prisma.VersionGetPayload<{ include: { skill: { include: { current: true; pending: true } } } }>;

/**
 * Approved versions of enabled, visible skills, newest approval first; anonymous callers, and those without the scope
 * `read`, see public skills. Revoked versions are omitted.
 */
export async function listUpdates(ctx: Ctx, query: ListUpdatesQuery): Promise<Page<Update>> {
  const actor = isPerson(ctx.actor) && hasScope(ctx.actor, "read") ? ctx.actor : null;
  const isShown = actor === null ? () => true : await personaFilter(ctx, actor);
  const seen = actor === null ? { visibility: "public", deletedAt: null } : listedTo(actor);
  const where = { AND: [seen, { enabled: true, listed: true, currentId: { not: null } }] };
  const before = query.cursor === undefined ? null : decodeCursor(Position, query.cursor);
  const take = query.limit + 1;
  const positionOf = (row: UpdateRow): z.infer<typeof Position> => [decidedAt(row), row.id];
  const rows = await readFiltered(take, before, {
    readPage: (from) =>
      ctx.db.version.findMany({
        where: { AND: [{ state: "approved", decidedAt: { not: null }, skill: where }, from ? isBefore(from) : {}] },
        orderBy: [{ decidedAt: "desc" }, { id: "desc" }],
        take,
        include: { skill: { include: { current: true, pending: true } } },
      }),
    positionOf,
    isShown: ({ skill }: UpdateRow) => isShown(skill),
  });
  const page = toPage(rows, query.limit, positionOf);
  return { items: await presentUpdates(ctx, page.items, actor !== null), nextCursor: page.nextCursor };
}

function isBefore([at, id]: z.infer<typeof Position>): Prisma.VersionWhereInput {
  const moment = new Date(at);
  return { OR: [{ decidedAt: { lt: moment } }, { decidedAt: moment, id: { lt: id } }] };
}

function decidedAt(row: UpdateRow): string {
  return (row.decidedAt ?? row.createdAt).toISOString();
}

async function presentUpdates(ctx: Ctx, rows: UpdateRow[], mayOpenPages: boolean): Promise<Update[]> {
  const publishers = await publishersOf(
    ctx,
    rows.map(({ skill }) => skill),
  );
  const { publicUrl } = getEnv();
  return rows.flatMap((row) => {
    const publisher = publishers.get(row.skill.ownerKey);
    if (publisher === undefined) return [];
    const { id, name, slug, description } = row.skill;
    return {
      skill: { id, name, description: capDescription(description) },
      publisher: publisherRef(publisher),
      digest: row.digest,
      number: row.number,
      approvedAt: decidedAt(row),
      changelog: row.changelog,
      serves: row.skill.currentId === row.id,
      url: mayOpenPages
        ? `${publicUrl}/skills/${id}?tab=versions`
        : `${publicUrl}/s/${publisher.handle}/${encodeURIComponent(slug)}/.well-known/agent-skills/index.json`,
    };
  });
}
