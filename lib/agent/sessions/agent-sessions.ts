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
import { type Dialect, jsonList, query, readComposed, sqlOf } from "@/lib/db/sql";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { readVisibleSkills } from "@/lib/skills/access/visible-skills";
import {
  type AgentSessionFacets,
  AgentSessionItem,
  type AgentSessionTrace,
  AgentStepItem,
  AgentStepKind,
  type GetAgentSessionQuery,
  type ListAgentSessionsQuery,
  type NamedSkill,
} from "./schema";
import { readToolLimit } from "./session-limits";

const RECENT = 24;

const Tools = z.array(z.string());
const Recent = AgentSessionItem.shape.recent.element;

const MAX_VALUES = 200;
const KEYS = ["personaId", "tokenId", "userId", "client"] as const;

const ofIds = (dialect: Dialect) =>
  ["Persona", "ApiToken", "User"]
    .map((table) => `SELECT "id", "name" FROM "${table}" WHERE "id" IN ${jsonList(dialect)}`)
    .join(" UNION ALL ");

const OF_IDS = query<{ id: string; name: string }>({ sqlite: ofIds("sqlite"), postgresql: ofIds("postgresql") });

/** Sessions with names, counts and newest steps, in the given order. Uses a constant number of queries. */
export async function presentAgentSessions(ctx: Ctx, rows: AgentSessionRow[]): Promise<AgentSessionItem[]> {
  const ids = rows.map((row) => row.id);
  const names = await readNames(
    ctx,
    rows.flatMap(({ personaId, tokenId, userId }) => [personaId, tokenId, userId]),
  );
  const skillOf = await nameSkills(
    ctx,
    rows.map(({ activeSkillId }) => activeSkillId),
  );
  const counted = bySession(await sqlOf(ctx).all(COUNTS, JSON.stringify(ids)));
  const recent = bySession(await sqlOf(ctx).all(NEWEST, JSON.stringify(ids), RECENT));
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
            skill: skillOf(row.activeSkillId),
            versionDigest: row.activeVersionDigest,
            tools: row.activeTools === null ? null : parseJsonColumn(Tools, row.activeTools),
          },
    counts: Object.fromEntries(
      (counted.get(row.id) ?? []).map(({ kind, steps }) => [AgentStepKind.parse(kind), steps]),
    ),
    recent: (recent.get(row.id) ?? []).map(({ kind, outcome }) => Recent.parse({ kind, outcome })),
  }));
}

function bySession<R extends { sessionId: string }>(rows: R[]): Map<string, R[]> {
  const found = new Map<string, R[]>();
  for (const row of rows) {
    const of = found.get(row.sessionId);
    if (of === undefined) found.set(row.sessionId, [row]);
    else of.push(row);
  }
  return found;
}

const SESSION_TIMES = { startedAt: "date", lastSeenAt: "date", endedAt: "date" } as const;

const counts = (dialect: Dialect) =>
  `SELECT "sessionId", "kind", COUNT(*) AS "steps" FROM "AgentStep" WHERE "sessionId" IN ${jsonList(dialect)}
   GROUP BY "sessionId", "kind" ORDER BY "sessionId", "kind"`;
const COUNTS = query<{ sessionId: string; kind: string; steps: number }>({
  sqlite: counts("sqlite"),
  postgresql: counts("postgresql"),
});
const newest = (dialect: Dialect) =>
  `SELECT "sessionId", "kind", "outcome" FROM (
     SELECT "id", "sessionId", "kind", "outcome",
       ROW_NUMBER() OVER (PARTITION BY "sessionId" ORDER BY "id" DESC) AS "place"
     FROM "AgentStep" WHERE "sessionId" IN ${jsonList(dialect)}
   ) AS "ranked" WHERE "place" <= ? ORDER BY "id"`;
const NEWEST = query<{ sessionId: string; kind: string; outcome: string }>({
  sqlite: newest("sqlite"),
  postgresql: newest("postgresql"),
});

/** Agents' sessions, newest first: the caller's own, or all for admins. */
export async function listAgentSessions(ctx: Ctx, query: ListAgentSessionsQuery): Promise<Page<AgentSessionItem>> {
  const actor = requireScope(ctx.actor, "read");
  const before = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const where = [visibleSessions(actor)];
  if (query.persona) where.push(Prisma.sql`"personaId" = ${query.persona}`);
  if (query.token) where.push(Prisma.sql`"tokenId" = ${query.token}`);
  if (query.user) where.push(Prisma.sql`"userId" = ${query.user}`);
  if (query.client) where.push(Prisma.sql`"client" = ${query.client}`);
  if (query.from) where.push(Prisma.sql`"lastSeenAt" >= ${new Date(query.from)}`);
  if (query.to) where.push(Prisma.sql`"startedAt" <= ${new Date(query.to)}`);
  if (before !== null) where.push(Prisma.sql`"id" < ${before}`);
  const rows = await readComposed<AgentSessionRow>(
    ctx,
    Prisma.sql`SELECT * FROM "AgentSession" WHERE ${Prisma.join(where, " AND ")} ORDER BY "id" DESC LIMIT ${query.limit + 1}`,
    SESSION_TIMES,
  );
  const { items, nextCursor } = toPage(rows, query.limit, (row) => row.id);
  return { items: await presentAgentSessions(ctx, items), nextCursor };
}

const MAX_SKILLS = 100;
const BY_SKILL = query<{ skillId: string; steps: number }>(
  `SELECT "skillId", COUNT(*) AS "steps" FROM "AgentStep" WHERE "sessionId" = ? AND "skillId" IS NOT NULL
   GROUP BY "skillId" ORDER BY COUNT(*) DESC LIMIT ?`,
);

/** A session with a page of its steps, newest first. `not_found` also for sessions of other people’s agents. */
export async function getAgentSession(
  ctx: Ctx,
  { id, query }: { id: string; query: GetAgentSessionQuery },
): Promise<AgentSessionTrace> {
  const actor = requireScope(ctx.actor, "read");
  const [row] = await readComposed<AgentSessionRow>(
    ctx,
    Prisma.sql`SELECT * FROM "AgentSession" WHERE ${visibleSessions(actor)} AND "id" = ${id}`,
    SESSION_TIMES,
  );
  if (row === undefined) throw new AppError("not_found", "There is no such session that you can see.");
  const [session] = await presentAgentSessions(ctx, [row]);
  if (session === undefined) throw new Error("presentAgentSessions returned no session");
  const before = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const where = [Prisma.sql`"sessionId" = ${id}`];
  if (query.kind) where.push(Prisma.sql`"kind" = ${query.kind}`);
  if (query.skill) where.push(Prisma.sql`"skillId" = ${query.skill}`);
  if (before !== null) where.push(Prisma.sql`"id" < ${before}`);
  const found = await readComposed<AgentStepRow>(
    ctx,
    Prisma.sql`SELECT * FROM "AgentStep" WHERE ${Prisma.join(where, " AND ")} ORDER BY "id" DESC LIMIT ${query.limit + 1}`,
    { at: "date" },
  );
  const page = toPage(found, query.limit, (step) => step.id);
  const counted = await sqlOf(ctx).all(BY_SKILL, id, MAX_SKILLS);
  const ids = [...counted, ...page.items].flatMap(({ skillId }) => skillId ?? []);
  const skillOf = await nameSkills(ctx, ids);
  const { denied } = await readToolLimit(ctx, row);
  return {
    ...session,
    takenAway: [...denied],
    skills: counted.map(({ skillId, steps }) => ({ ...skillOf(skillId), steps })),
    steps: { items: page.items.map((step) => presentStep(step, skillOf)), nextCursor: page.nextCursor },
  };
}

function presentStep(step: AgentStepRow, skillOf: (id: string) => NamedSkill): AgentStepItem {
  const skill = step.skillId === null ? null : skillOf(step.skillId);
  return AgentStepItem.parse({ ...step, at: step.at.toISOString(), skill });
}

/** Condition for `"AgentSession"`: admins see all sessions, other people those of their own agents. */
export function visibleSessions(actor: PersonActor): Prisma.Sql {
  return hasScope(actor, "admin") ? Prisma.sql`1 = 1` : Prisma.sql`"userId" = ${actor.userId}`;
}

/** Names and labels of skills by id, null for those that the caller cannot see: a trace must not reveal their names. */
async function nameSkills(ctx: Ctx, ids: (string | null)[]): Promise<(id: string) => NamedSkill> {
  const skills = await readVisibleSkills(ctx, ids);
  return (id) => ({ id, name: skills.get(id)?.name ?? null, label: skills.get(id)?.label ?? null });
}

type Found = { key: string; sessions: number; lastSeenAt: Date };

/** Personas, tokens, people and clients in the sessions that the caller may see: at most 200 of each, last seen first. */
export async function listAgentSessionFacets(ctx: Ctx): Promise<AgentSessionFacets> {
  const where = visibleSessions(requireScope(ctx.actor, "read"));
  const [personas = [], tokens = [], people = [], clients = []] = await Promise.all(
    KEYS.map((key) => countBy(ctx, key, where)),
  );
  const names = await readNames(
    ctx,
    [...personas, ...tokens, ...people].map(({ key }) => key),
  );
  const named = (found: Found[]) =>
    found.map(({ key, ...seen }) => ({ id: key, name: names.get(key) ?? null, ...present(seen) }));
  return {
    personas: named(personas),
    tokens: named(tokens),
    people: named(people),
    clients: clients.map(({ key, ...seen }) => ({ client: key, ...present(seen) })),
  };
}

function present({ sessions, lastSeenAt }: Omit<Found, "key">) {
  return { sessions, lastSeenAt: lastSeenAt.toISOString() };
}

function countBy(ctx: Ctx, name: (typeof KEYS)[number], where: Prisma.Sql): Promise<Found[]> {
  const key = Prisma.raw(`"${name}"`);
  return readComposed<Found>(
    ctx,
    Prisma.sql`SELECT ${key} AS "key", COUNT(*) AS "sessions", MAX("lastSeenAt") AS "lastSeenAt" FROM "AgentSession"
      WHERE ${where} AND ${key} IS NOT NULL GROUP BY ${key} ORDER BY MAX("lastSeenAt") DESC LIMIT ${MAX_VALUES}`,
    { lastSeenAt: "date" },
  );
}

/** Names of personas, tokens and people by id, without an access check. */
export async function readNames(ctx: Ctx, ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const list = JSON.stringify([...new Set(ids.filter((id) => id !== null))]);
  const rows = await sqlOf(ctx).all(OF_IDS, list, list, list);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
