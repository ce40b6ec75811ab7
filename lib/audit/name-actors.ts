import type { Ctx } from "@/lib/db/context";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";

const lastNames = (dialect: Dialect) =>
  `SELECT t."value" AS "key", e."actorName" AS "name" FROM ${jsonList(dialect)} k
   JOIN "AuditTerm" t ON t."kind" = 'actor' AND t."value" = k."value"
   JOIN "AuditEvent" e ON e."seq" = (SELECT max(p."seq") FROM "AuditPosting" p WHERE p."termId" = t."id")`;
const LAST_NAMES = query<{ key: string; name: string }>({
  sqlite: lastNames("sqlite"),
  postgresql: lastNames("postgresql"),
});

/** What those who acted are called: people by their own name, others as they were when they last acted. */
export async function nameActors(ctx: Ctx, keys: string[]): Promise<Map<string, string>> {
  const people = await ctx.db.user.findMany({ where: { id: { in: keys } }, select: { id: true, name: true } });
  const names = new Map((await sqlOf(ctx).all(LAST_NAMES, JSON.stringify(keys))).map(({ key, name }) => [key, name]));
  for (const { id, name } of people) names.set(id, name);
  return names;
}
