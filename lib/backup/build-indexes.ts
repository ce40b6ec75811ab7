import { offeredSkills } from "@/lib/agent/offers/offered-skills";
import { indexAllEvents } from "@/lib/audit/index/index-events";
import { listEvents } from "@/lib/audit/list-events";
import { listAuditFacets } from "@/lib/audit/list-facets";
import { readHistogram } from "@/lib/audit/read-histogram";
import { AuditFilter, AuditHistogramQuery, ListAuditQuery } from "@/lib/audit/schema";
import { listCatalog } from "@/lib/catalog/browse/list-catalog";
import { ListCatalogQuery } from "@/lib/catalog/schema";
import { type Actor, type PersonActor, Role } from "@/lib/core/actor";
import { type Ctx, createCtx } from "@/lib/db/context";
import type { Database, DatabaseAddress } from "@/lib/db/database";
import { openDatabase } from "@/lib/db/open-database";
import { listSkills } from "@/lib/skills/list-skills";
import { ListSkillsQuery } from "@/lib/skills/schema";
import { checkIndexes } from "./check-indexes";

const SAMPLE = 8;

const PAGE = 100;

type Comparison = { text: string; actor: Actor; ask(ctx: Ctx): Promise<unknown> };

type UserlessComparison = Omit<Comparison, "actor">;

const FILTERS = [
  ["actions", "action"],
  ["tools", "tool"],
  ["classes", "class"],
  ["decisions", "decision"],
  ["devices", "device"],
] as const;

/**
 * Builds the derived indexes of a moved database and compares its answers with those of the source. Returns the
 * differences as sentences. Writes only the audit index of the source.
 */
export async function buildIndexes(from: DatabaseAddress, to: DatabaseAddress, at: Date): Promise<string[]> {
  const actor = { kind: "system", name: "Skillgate" } as const;
  const source = await openDatabase(from);
  try {
    const target = await openDatabase(to);
    try {
      await indexAllEvents(createCtx({ actor, database: source }));
      const ctx = createCtx({ actor, database: target });
      await indexAllEvents(ctx);
      const misfits = await checkIndexes(ctx, { every: true });
      const different = await compareAnswers(source, target, at);
      return [
        ...misfits.map(({ problem }) => `In the new database, ${problem}.`),
        ...different.map((text) => `The new database answers differently: ${text}.`),
      ];
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/**
 * Runs the queries of people and agents on both databases and returns the ones with different answers: lists, filters
 * and offers must be equal, and searches must find their target. The order of search results may differ. Both audit
 * indexes must be complete.
 */
async function compareAnswers(source: Database, target: Database, at: Date): Promise<string[]> {
  const admin = personOf({ id: "move", name: "Skillgate", email: "", role: "admin" });
  const as = (database: Database, actor: Actor) => createCtx({ actor, database, now: () => at });
  const different: string[] = [];
  for (const { text, actor, ask } of await listComparisons(as(source, admin))) {
    const answers = [await ask(as(source, actor)), await ask(as(target, actor))].map((answer) =>
      JSON.stringify(answer),
    );
    if (answers[0] !== answers[1]) different.push(text);
  }
  return different;
}

async function listComparisons(ctx: Ctx): Promise<Comparison[]> {
  const questions = [...(await aboutCatalog(ctx)), ...(await aboutSkills(ctx)), ...(await aboutAudit(ctx))];
  const asked = questions.map((question) => ({ ...question, actor: ctx.actor }));
  return [...asked, ...(await aboutOffers(ctx))];
}

async function aboutCatalog(ctx: Ctx): Promise<UserlessComparison[]> {
  const list = (asking: Ctx, query: object) =>
    listCatalog(asking, ListCatalogQuery.parse({ limit: PAGE, ...query })).then(({ items, total, facets }) => ({
      ids: items.map(({ id }) => id),
      ...{ total, facets },
    }));
  const { items } = await listCatalog(ctx, ListCatalogQuery.parse({ limit: PAGE }));
  const searches = sample(items).map(({ id, name }) => ({
    text: `search the catalog for “${name}”`,
    ask: async (asking: Ctx) => (await list(asking, { q: name })).ids.includes(id),
  }));
  return [{ text: "list the catalog", ask: (asking) => list(asking, {}) }, ...searches];
}

async function aboutSkills(ctx: Ctx): Promise<UserlessComparison[]> {
  const list = async (asking: Ctx, query: object) =>
    (await listSkills(asking, ListSkillsQuery.parse({ limit: PAGE, ...query }))).items;
  const searches = sample(await list(ctx, {})).map(({ id, name }) => ({
    text: `search the skills for “${name}”`,
    ask: async (asking: Ctx) => (await list(asking, { q: name })).some((skill) => skill.id === id),
  }));
  return [
    { text: "list the skills", ask: async (asking) => (await list(asking, {})).map(({ id }) => id) },
    ...searches,
  ];
}

async function aboutAudit(ctx: Ctx): Promise<UserlessComparison[]> {
  const list = async (asking: Ctx, query: object) =>
    (await listEvents(asking, ListAuditQuery.parse({ limit: PAGE, ...query }))).items.map(({ seq }) => seq);
  const facets = await listAuditFacets(ctx);
  const filters = [
    ...FILTERS.flatMap(([facet, filter]) => sample(facets[facet]).map((value) => ({ [filter]: value }))),
    ...sample(facets.actors).map(({ id }) => ({ actor: id })),
  ].filter((filter) => AuditFilter.safeParse(filter).success);
  const { items } = await listEvents(ctx, ListAuditQuery.parse({ limit: PAGE }));
  return [
    { text: "list the filters of the audit log", ask: listAuditFacets },
    {
      text: "count the events of the audit log",
      ask: (asking) => readHistogram(asking, AuditHistogramQuery.parse({})),
    },
    ...filters.map((filter) => ({
      text: `list the audit log with ${JSON.stringify(filter)}`,
      ask: (asking: Ctx) => list(asking, filter),
    })),
    ...sample(items).map(({ seq, summary }) => ({
      text: `search the audit log for “${summary.slice(0, 60)}”`,
      ask: async (asking: Ctx) => (await list(asking, { q: summary.slice(0, 60) })).includes(seq),
    })),
  ];
}

async function aboutOffers(ctx: Ctx): Promise<Comparison[]> {
  const people = await ctx.db.user.findMany({ where: { state: "active" }, orderBy: { id: "asc" } });
  const personas = await ctx.db.persona.findMany({ orderBy: { id: "asc" } });
  const users = people.map(personOf);
  const owner = users.find(({ role }) => role === "admin") ?? users[0];
  const agents = owner === undefined ? [] : personas.map(({ id, name }) => ({ name, actor: agentOf(owner, id) }));
  const offer = async (asking: Ctx) => (await offeredSkills(asking)).skills.map(({ id }) => id);
  return [
    ...sample(users).map((actor) => ({ text: `list what agents of ${actor.name} are offered`, actor, ask: offer })),
    ...sample(agents).map(({ name, actor }) => ({
      text: `list what the persona ${name} is offered`,
      actor,
      ask: offer,
    })),
  ];
}

function personOf({ id, name, email, role }: { id: string; name: string; email: string; role: string }): PersonActor {
  return { kind: "user", userId: id, name, email, role: Role.catch("user").parse(role), sessionId: "move" };
}

function agentOf({ userId, name, email, role }: PersonActor, personaId: string): Actor {
  const scopes = ["read", "run"] as const;
  return {
    ...{ kind: "token", userId, name, email, role, tokenId: "move", tokenName: "move", personaId },
    scopes: [...scopes],
  };
}

function sample<T>(all: readonly T[]): T[] {
  const step = Math.max(1, all.length / SAMPLE);
  return Array.from({ length: Math.min(SAMPLE, all.length) }, (_, index) => all[Math.floor(index * step)] as T);
}
