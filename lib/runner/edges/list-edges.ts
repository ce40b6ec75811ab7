import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { requireSkill } from "@/lib/skills/skill-access";
import { LEASE_SECONDS } from "@/lib/worker/protocol";
import type { Edge, ListEdgesQuery } from "./schema";

/** Every worker that was not revoked, as somebody sees it who chooses where a skill runs: online ones first, then by name. */
export async function listEdges(ctx: Ctx, { skill: idOrName }: ListEdgesQuery): Promise<Page<Edge>> {
  requireScope(ctx.actor, "read");
  const skill = idOrName === undefined ? null : await requireSkill(ctx, idOrName);
  const rows = await ctx.db.worker.findMany({
    where: { revokedAt: null },
    select: {
      id: true,
      name: true,
      lastSeenAt: true,
      platform: true,
      manager: true,
      skills: { select: { skillId: true } },
    },
    orderBy: { name: "asc" },
  });
  const onlineSince = ctx.now().getTime() - LEASE_SECONDS * 2 * 1000;
  const offers = (row: (typeof rows)[number]) => {
    if (skill === null) return null;
    if (skill.scope !== "host") return row.manager;
    return skill.source !== "worker" || row.skills.some(({ skillId }) => skillId === skill.id);
  };
  const items = rows.map((row) => ({
    id: row.id,
    name: row.name,
    online: (row.lastSeenAt?.getTime() ?? 0) >= onlineSince,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    platform: row.platform,
    offers: offers(row),
  }));
  return { items: items.sort((a, b) => Number(b.online) - Number(a.online)), nextCursor: null };
}
