import { z } from "zod";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { requireSkill, visibleTo } from "@/lib/skills/skill-access";
import { presentOverlay, seesProposals, TOLD } from "./present-overlay";
import type { ListOverlaysQuery, SkillOverlay } from "./schema";

/** Overlays of one skill, or of all skills that the caller sees; newest first. Proposals are for who manages or reviews. */
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
    if (!skill || !(TOLD.includes(row.state) || seesProposals(actor, skill))) return [];
    return [presentOverlay(ctx, row, skill, policy)];
  });
  return { items, nextCursor: page.nextCursor };
}
