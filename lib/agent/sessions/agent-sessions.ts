import { z } from "zod";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import {
  type AgentSession as AgentSessionRow,
  type AgentStep as AgentStepRow,
  Prisma,
} from "@/lib/db/generated/client";
import { hasScope, requirePerson, requireScope } from "@/lib/policy/require-scope";
import { visibleTo } from "@/lib/skills/skill-access";
import {
  AgentSessionItem,
  type AgentSessionTrace,
  AgentStepItem,
  AgentStepKind,
  type GetAgentSessionQuery,
  type ListAgentSessionsQuery,
} from "./schema";
import { readToolLimit } from "./session-limits";

const RECENT = 24;

const Tools = z.array(z.string());
const Recent = AgentSessionItem.shape.recent.element.extend({ sessionId: z.string() });

/** Sessions with names, counts and newest steps, in the given order. Uses a constant number of queries. */
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

/** Agents' sessions, newest first: the caller's own, or all for admins. */
export async function listAgentSessions(ctx: Ctx, query: ListAgentSessionsQuery): Promise<Page<AgentSessionItem>> {
  const actor = requireScope(ctx.actor, "read");
  const before = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const rows = await ctx.db.agentSession.findMany({
    where: {
      AND: [
        sessionsVisibleTo(actor),
        query.persona ? { personaId: query.persona } : {},
        query.token ? { tokenId: query.token } : {},
        query.user ? { userId: query.user } : {},
        query.client ? { client: query.client } : {},
        query.from ? { lastSeenAt: { gte: new Date(query.from) } } : {},
        query.to ? { startedAt: { lte: new Date(query.to) } } : {},
        before === null ? {} : { id: { lt: before } },
      ],
    },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const { items, nextCursor } = toPage(rows, query.limit, (row) => row.id);
  return { items: await presentAgentSessions(ctx, items), nextCursor };
}

const MAX_SKILLS = 100;

/** A session with a page of its steps, newest first. `not_found` also for sessions of other people’s agents. */
export async function getAgentSession(
  ctx: Ctx,
  { id, query }: { id: string; query: GetAgentSessionQuery },
): Promise<AgentSessionTrace> {
  const actor = requireScope(ctx.actor, "read");
  const row = await ctx.db.agentSession.findFirst({ where: { AND: [sessionsVisibleTo(actor), { id }] } });
  if (row === null) throw new AppError("not_found", "There is no such session that you can see.");
  const [session] = await presentAgentSessions(ctx, [row]);
  if (session === undefined) throw new Error("presentAgentSessions returned no session");
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
  const skill = step.skillId === null ? null : { id: step.skillId, name: names.get(step.skillId) ?? null };
  return AgentStepItem.parse({ ...step, at: step.at.toISOString(), skill });
}

/** Admins see all sessions, other people those of their own agents. */
export function sessionsVisibleTo(actor: PersonActor): Prisma.AgentSessionWhereInput {
  return hasScope(actor, "admin") ? {} : { userId: actor.userId };
}

/** Names of skills by id, without those that the caller cannot see: a trace must not reveal their names. */
export async function nameSkills(ctx: Ctx, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.skill.findMany({
    where: { AND: [visibleTo(requirePerson(ctx.actor)), { id: { in: ids } }] },
    select: { id: true, name: true },
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
