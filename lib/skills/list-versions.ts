import { z } from "zod";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { VersionState, type VersionSummary } from "./schema";
import { requireSkill } from "./skill-access";

/** The versions of a skill, newest first. */
export async function listVersions(ctx: Ctx, idOrName: string, query: PageQuery): Promise<Page<VersionSummary>> {
  const skill = await requireSkill(ctx, idOrName);
  const before = query.cursor === undefined ? null : decodeCursor(z.number(), query.cursor);
  const rows = await ctx.db.version.findMany({
    where: { skillId: skill.id, ...(before === null ? {} : { number: { lt: before } }) },
    orderBy: { number: "desc" },
    take: query.limit + 1,
  });
  const page = toPage(rows, query.limit, (row) => row.number);
  return { items: page.items.map(presentVersionSummary), nextCursor: page.nextCursor };
}

export function presentVersionSummary(row: {
  digest: string;
  number: number;
  state: string;
  createdAt: Date;
  createdById: string;
  createdByName: string;
}): VersionSummary {
  return {
    digest: row.digest,
    number: row.number,
    state: VersionState.parse(row.state),
    createdAt: row.createdAt.toISOString(),
    createdBy: { id: row.createdById, name: row.createdByName },
  };
}
