import { z } from "zod";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import { requireSkill } from "@/lib/skills/skill-access";
import { presentEvaluations } from "./present-evaluations";
import type { Evaluation } from "./schema";

type Query = { limit: number; cursor?: string | undefined };

/** Evaluations of a skill with their figures, newest first. Whoever sees the skill sees these. */
export async function listEvaluations(ctx: Ctx, idOrName: string, query: Query): Promise<Page<Evaluation>> {
  requireScope(ctx.actor, "read");
  const skill = await requireSkill(ctx, idOrName);
  const before = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const rows = await ctx.db.evalRun.findMany({
    where: { skillId: skill.id, ...(before === null ? {} : { id: { lt: before } }) },
    include: { results: { select: { withSkill: true, passed: true, tokens: true, steps: true, durationMs: true } } },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const { items, nextCursor } = toPage(rows, query.limit, ({ id }) => id);
  return { items: presentEvaluations(ctx, items, skill), nextCursor };
}
