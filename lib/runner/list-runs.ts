import { z } from "zod";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import { requireSkill } from "@/lib/skills/skill-access";
import { presentRuns, withNames } from "./present-run";
import { runsVisibleTo } from "./run-access";
import type { ListRunsQuery, Run } from "./schema";

/** Runs the caller may see, newest first. Ids sort by time, so they are the cursor. */
export async function listRuns(ctx: Ctx, query: ListRunsQuery): Promise<Page<Run>> {
  const actor = requireScope(ctx.actor, "read");
  const before = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const skill = query.skill === undefined ? null : await requireSkill(ctx, query.skill);
  const rows = await ctx.db.run.findMany({
    where: {
      AND: [
        runsVisibleTo(actor),
        skill ? { skillId: skill.id } : {},
        query.state ? { state: query.state } : {},
        query.caller ? { callerId: query.caller === "me" ? actor.userId : query.caller } : {},
        before === null ? {} : { id: { lt: before } },
      ],
    },
    orderBy: { id: "desc" },
    take: query.limit + 1,
    include: withNames,
  });
  const page = toPage(rows, query.limit, (row) => row.id);
  return { items: await presentRuns(ctx, page.items), nextCursor: page.nextCursor };
}
