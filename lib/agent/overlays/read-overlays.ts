import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { requireSkill, type SkillRow, visibleTo } from "@/lib/skills/skill-access";
import { type OverlayRow, PUBLISHED_STATES, presentOverlay, seesProposals } from "./present-overlay";
import type { ListOverlaysQuery, SkillOverlay } from "./schema";

/** Overlays of one skill, or of all visible skills, newest first. Only managers and reviewers see proposals. */
export async function listOverlays(ctx: Ctx, query: ListOverlaysQuery, idOrName?: string): Promise<Page<SkillOverlay>> {
  const actor = requireScope(ctx.actor, "read");
  const only = idOrName === undefined ? null : await requireSkill(ctx, idOrName);
  const after = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const rows = await ctx.db.overlay.findMany({
    where: {
      ...(only ? { skillId: only.id } : {}),
      ...(query.state ? { state: query.state } : {}),
      ...(after === null ? {} : { id: { lt: after } }),
    },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const skills = await ctx.db.skill.findMany({
    where: { AND: [visibleTo(actor), { id: { in: rows.map(({ skillId }) => skillId) } }] },
    select: { id: true, name: true, ownerKey: true, current: { select: { digest: true } } },
  });
  const byId = new Map(skills.map((skill) => [skill.id, skill]));
  const policy = await getSettings(ctx);
  const page = toPage(rows, query.limit, ({ id }) => id);
  const items = page.items.flatMap((row) => {
    const skill = byId.get(row.skillId);
    if (!skill || !(PUBLISHED_STATES.includes(row.state) || seesProposals(actor, skill))) return [];
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
