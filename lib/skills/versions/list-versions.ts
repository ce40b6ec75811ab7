import { z } from "zod";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { SkillClass } from "@/lib/skill-format/schema";
import { type ActivationHistory, EMPTY_HISTORY, readActivationHistories } from "@/lib/skills/approval/check-servable";
import { trustOf } from "@/lib/skills/approval/trust";
import { requireSkill, type SkillRow } from "@/lib/skills/skill-access";
import { type VersionRow, withFilesAndDecisions } from "@/lib/skills/version-access";
import { presentDecisions } from "./present-decisions";
import { VersionState, type VersionSummary } from "./schema";

/** The versions of a skill with their decisions, newest first. */
export async function listVersions(ctx: Ctx, idOrName: string, query: PageQuery): Promise<Page<VersionSummary>> {
  const skill = await requireSkill(ctx, idOrName);
  const before = query.cursor === undefined ? null : decodeCursor(z.number(), query.cursor);
  const rows = await ctx.db.version.findMany({
    where: { skillId: skill.id, ...(before === null ? {} : { number: { lt: before } }) },
    orderBy: { number: "desc" },
    take: query.limit + 1,
    include: withFilesAndDecisions,
  });
  const page = toPage(rows, query.limit, (row) => row.number);
  const order = (await readActivationHistories(ctx, [skill.id])).get(skill.id) ?? EMPTY_HISTORY;
  const items = await Promise.all(page.items.map((row) => presentVersionSummary(ctx, skill, row, order)));
  return { items, nextCursor: page.nextCursor };
}

export async function presentVersionSummary(
  ctx: Ctx,
  skill: SkillRow,
  row: VersionRow,
  order: ActivationHistory,
): Promise<VersionSummary> {
  return {
    digest: row.digest,
    number: row.number,
    state: VersionState.parse(row.state),
    createdAt: row.createdAt.toISOString(),
    createdBy: { id: row.createdById, name: row.createdByName },
    active: skill.currentId === row.id,
    class: row.class === null ? null : SkillClass.catch("dangerous").parse(row.class),
    decisions: await presentDecisions(ctx, row.decisions),
    trust: await trustOf(ctx, skill, row, order),
    changelog: row.changelog,
    returnedReason: row.state === "pending" ? row.returnedReason : null,
  };
}
