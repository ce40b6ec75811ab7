import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { type AgentSession as AgentSessionRow, Prisma } from "@/lib/db/generated/client";
import { nameSkills } from "./name-skills";
import { AgentSessionItem, AgentStepKind } from "./schema";

/** Steps of one session that its line in a list shows. */
const RECENT = 24;

const Tools = z.array(z.string());
const Recent = AgentSessionItem.shape.recent.element.extend({ sessionId: z.string() });

/** Sessions with names, counts and their newest steps, in the order given. A constant number of reads. */
export async function presentAgentSessions(ctx: Ctx, rows: AgentSessionRow[]): Promise<AgentSessionItem[]> {
  const ids = rows.map((row) => row.id);
  const personas = await ctx.db.persona.findMany({ where: { id: { in: present(rows, "personaId") } } });
  const tokens = await ctx.db.apiToken.findMany({ where: { id: { in: present(rows, "tokenId") } } });
  const people = await ctx.db.user.findMany({ where: { id: { in: present(rows, "userId") } } });
  const names = new Map([...personas, ...tokens, ...people].map(({ id, name }) => [id, name]));
  const skills = await nameSkills(ctx, present(rows, "activeSkillId"));
  const counted = await ctx.db.agentStep.groupBy({
    by: ["sessionId", "kind"],
    where: { sessionId: { in: ids } },
    _count: true,
  });
  const recent = await newestSteps(ctx, ids);
  const named = (id: string) => ({ id, name: names.get(id) ?? null });
  return rows.map((row) => ({
    id: row.id,
    client: row.client,
    persona: row.personaId === null ? null : named(row.personaId),
    token: row.tokenId === null ? null : named(row.tokenId),
    person: named(row.userId),
    startedAt: row.startedAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    active:
      row.activeSkillId === null
        ? null
        : {
            skill: { id: row.activeSkillId, name: skills.get(row.activeSkillId) ?? null },
            versionDigest: row.activeVersionDigest,
            tools: row.activeTools === null ? null : parseJsonColumn(Tools, row.activeTools),
          },
    counts: Object.fromEntries(
      counted
        .filter(({ sessionId }) => sessionId === row.id)
        .map(({ kind, _count }) => [AgentStepKind.parse(kind), _count]),
    ),
    recent: recent.filter(({ sessionId }) => sessionId === row.id).map(({ kind, outcome }) => ({ kind, outcome })),
  }));
}

async function newestSteps(ctx: Ctx, sessionIds: string[]): Promise<z.infer<typeof Recent>[]> {
  if (sessionIds.length === 0) return [];
  const rows = await ctx.db.$queryRaw<unknown[]>`
    SELECT "sessionId", "kind", "outcome" FROM (
      SELECT "id", "sessionId", "kind", "outcome",
        ROW_NUMBER() OVER (PARTITION BY "sessionId" ORDER BY "id" DESC) AS "place"
      FROM "AgentStep" WHERE "sessionId" IN (${Prisma.join(sessionIds)})
    ) AS "ranked" WHERE "place" <= ${RECENT} ORDER BY "id"`;
  return z.array(Recent).parse(rows);
}

function present<K extends "personaId" | "tokenId" | "userId" | "activeSkillId">(
  rows: Pick<AgentSessionRow, K>[],
  key: K,
): string[] {
  return [...new Set(rows.flatMap((row) => row[key] ?? []))];
}
