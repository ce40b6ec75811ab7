import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { AgentStep as AgentStepRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { nameSkills } from "./name-skills";
import { presentAgentSessions } from "./present-agent-sessions";
import { readToolLimit } from "./read-tool-limit";
import { type AgentSessionTrace, AgentStepItem, type GetAgentSessionQuery } from "./schema";
import { sessionsVisibleTo } from "./sessions-visible-to";

const MAX_SKILLS = 100;

/** A session and a page of its steps, newest first. `not_found` also for a session of somebody else’s agent. */
export async function getAgentSession(
  ctx: Ctx,
  { id, query }: { id: string; query: GetAgentSessionQuery },
): Promise<AgentSessionTrace> {
  const actor = requireScope(ctx.actor, "read");
  const row = await ctx.db.agentSession.findFirst({ where: { AND: [sessionsVisibleTo(actor), { id }] } });
  if (row === null) throw new AppError("not_found", "There is no such session, or it is not yours to see.");
  const [session] = await presentAgentSessions(ctx, [row]);
  if (session === undefined) throw new Error("a session was read and not presented");
  const before = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const found = await ctx.db.agentStep.findMany({
    where: {
      sessionId: id,
      ...(query.kind ? { kind: query.kind } : {}),
      ...(query.skill ? { skillId: query.skill } : {}),
      ...(before === null ? {} : { id: { lt: before } }),
    },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const page = toPage(found, query.limit, (step) => step.id);
  const counted = await ctx.db.agentStep.groupBy({
    by: ["skillId"],
    where: { sessionId: id, skillId: { not: null } },
    _count: { skillId: true },
    orderBy: { _count: { skillId: "desc" } },
    take: MAX_SKILLS,
  });
  const ids = [...counted, ...page.items].flatMap(({ skillId }) => skillId ?? []);
  const names = await nameSkills(ctx, [...new Set(ids)]);
  const { denied } = await readToolLimit(ctx, row);
  return {
    ...session,
    takenAway: [...denied],
    skills: counted.flatMap(({ skillId, _count }) =>
      skillId === null ? [] : { id: skillId, name: names.get(skillId) ?? null, steps: _count.skillId },
    ),
    steps: { items: page.items.map((step) => presentStep(step, names)), nextCursor: page.nextCursor },
  };
}

function presentStep(step: AgentStepRow, names: Map<string, string>): AgentStepItem {
  return {
    id: step.id,
    at: step.at.toISOString(),
    kind: AgentStepItem.shape.kind.parse(step.kind),
    outcome: AgentStepItem.shape.outcome.parse(step.outcome),
    skill: step.skillId === null ? null : { id: step.skillId, name: names.get(step.skillId) ?? null },
    versionDigest: step.versionDigest,
    tool: step.tool,
    detail: step.detail,
    runId: step.runId,
    durationMs: step.durationMs,
  };
}
