import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { Prisma } from "@/lib/db/generated/client";
import { readComposed } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { readVisibleSkills } from "@/lib/skills/access/visible-skills";
import { requireSkill, type SkillRow } from "@/lib/skills/skill-access";
import { type OverlayRow, PUBLISHED_STATES, presentOverlay, seesProposals } from "./present-overlay";
import type { ListOverlaysQuery, SkillOverlay } from "./schema";

/** Overlays of one skill, or of all visible skills, newest first. Only managers and reviewers see proposals. */
export async function listOverlays(ctx: Ctx, query: ListOverlaysQuery, idOrName?: string): Promise<Page<SkillOverlay>> {
  requireScope(ctx.actor, "read");
  const only = idOrName === undefined ? null : await requireSkill(ctx, idOrName);
  const after = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const where = [Prisma.sql`1 = 1`];
  if (only) where.push(Prisma.sql`"skillId" = ${only.id}`);
  if (query.state) where.push(Prisma.sql`"state" = ${query.state}`);
  if (after !== null) where.push(Prisma.sql`"id" < ${after}`);
  const rows = await readComposed<OverlayRow>(
    ctx,
    Prisma.sql`SELECT * FROM "Overlay" WHERE ${Prisma.join(where, " AND ")} ORDER BY "id" DESC LIMIT ${query.limit + 1}`,
    { optimizedAt: "date", createdAt: "date", decidedAt: "date" },
  );
  const byId = await readVisibleSkills(
    ctx,
    rows.map(({ skillId }) => skillId),
  );
  const policy = await getSettings(ctx);
  const page = toPage(rows, query.limit, ({ id }) => id);
  const items = page.items.flatMap((row) => {
    const found = byId.get(row.skillId);
    const skill = found && { ...found, current: found.digest === null ? null : { digest: found.digest } };
    if (!skill || !(PUBLISHED_STATES.includes(row.state) || seesProposals(ctx.actor, skill))) return [];
    return [presentOverlay(ctx, row, skill, policy)];
  });
  return { items, nextCursor: page.nextCursor };
}

export async function getOverlay(ctx: Ctx, id: string): Promise<SkillOverlay> {
  requireScope(ctx.actor, "read");
  const { row, skill } = await requireOverlay(ctx, id);
  return presentOverlay(ctx, row, skill, await getSettings(ctx));
}

export async function getOverlayToml(ctx: Ctx, id: string): Promise<string> {
  requireScope(ctx.actor, "read");
  const { row } = await requireOverlay(ctx, id);
  return row.toml;
}

/** An overlay with its skill; `not_found` also when the caller may not see it. */
export async function requireOverlay(ctx: Ctx, id: string): Promise<{ row: OverlayRow; skill: SkillRow }> {
  const row = await ctx.db.overlay.findUnique({ where: { id } });
  if (!row) throw unknown(id);
  const skill = await requireSkill(ctx, row.skillId);
  if (!PUBLISHED_STATES.includes(row.state) && !seesProposals(ctx.actor, skill)) throw unknown(id);
  return { row, skill };
}

function unknown(id: string): AppError {
  return new AppError("not_found", `There is no overlay “${id.slice(0, 64)}”.`);
}
