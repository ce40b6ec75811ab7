import { recordEvent } from "@/lib/audit/record-event";
import { isPerson } from "@/lib/core/actor";
import { storeOf } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";
import { aboutSkill } from "@/lib/skills/about-skill";
import { requireSkill } from "../skill-access";
import type { StarState } from "./schema";

/** Stars or unstars a visible skill, once per person. */
export async function setStar(ctx: Ctx, idOrName: string, starred: boolean): Promise<StarState> {
  const actor = requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireSkill(txCtx, idOrName);
    const key = { userId: actor.userId, skillId: skill.id };
    const known = await tx.star.findUnique({ where: { userId_skillId: key } });
    if ((known !== null) !== starred) {
      if (starred) await tx.star.create({ data: { ...key, at: ctx.now() } });
      else await tx.star.delete({ where: { userId_skillId: key } });
      await recordEvent(tx, txCtx, {
        action: starred ? "skill.star" : "skill.unstar",
        summary: starred ? `starred ${skill.name}` : `removed the star from ${skill.name}`,
        ...aboutSkill(skill),
      });
    }
    return (await countStars(txCtx, [skill.id])).get(skill.id) ?? NO_STARS;
  });
}

export const NO_STARS: StarState = { starred: false, stars: 0 };

const starsOf = (dialect: Dialect) =>
  `SELECT "skillId", COUNT(*) AS "stars", MAX(CASE WHEN "userId" = ? THEN 1 ELSE 0 END) AS "own" FROM "Star"
   WHERE "skillId" IN ${jsonList(dialect)} GROUP BY "skillId"`;
const STARS = query<{ skillId: string; stars: number; own: number }>({
  sqlite: starsOf("sqlite"),
  postgresql: starsOf("postgresql"),
});

/** Number of stars by skill id, and whether the caller starred it; skills without stars are omitted. */
export async function countStars(ctx: Ctx, skillIds: string[]): Promise<Map<string, StarState>> {
  if (skillIds.length === 0) return new Map();
  const caller = isPerson(ctx.actor) ? ctx.actor.userId : "";
  const rows = await sqlOf(ctx).all(STARS, caller, JSON.stringify(skillIds));
  return new Map(rows.map(({ skillId, stars, own }) => [skillId, { starred: own === 1, stars }]));
}

const INSTALLS = `SELECT "skillId", SUM("count") AS "installs", SUM(CASE WHEN "day" >= ? THEN "count" ELSE 0 END) AS "recent"
   FROM "InstallCount"`;
const installsOf = (dialect: Dialect) => `${INSTALLS} WHERE "skillId" IN ${jsonList(dialect)} GROUP BY "skillId"`;
const INSTALLS_OF = query<InstallRow>({ sqlite: installsOf("sqlite"), postgresql: installsOf("postgresql") });
const INSTALLS_OF_ALL = query<InstallRow>(`${INSTALLS} GROUP BY "skillId"`);

type InstallRow = { skillId: string; installs: number; recent: number };
export type Installs = { installs: number; recent: number };

/** Above this number of skills, all are counted: a lookup of each would take longer. */
const MAX_LOOKUPS = 200;

/**
 * Installs by skill id through all distribution endpoints, in total and from a day (UTC, as `2026-01-31`) on, without an
 * access check. May contain other skills than those asked for.
 */
export async function countRecentInstalls(
  ctx: Ctx,
  skillIds: readonly string[],
  since: string,
): Promise<ReadonlyMap<string, Installs>> {
  if (skillIds.length === 0) return new Map();
  if (skillIds.length > MAX_LOOKUPS) return countAllInstalls(ctx, since);
  return bySkill(await sqlOf(ctx).all(INSTALLS_OF, since, JSON.stringify(skillIds)));
}

type KeptInstalls = { revision: string; installs: ReadonlyMap<string, Installs> };

/** Kept until the next commit of any process: 5 to 7 ms for each search of 5,000 skills otherwise. */
async function countAllInstalls(ctx: Ctx, since: string): Promise<ReadonlyMap<string, Installs>> {
  const kept = storeOf(ctx.database, "all-installs", () => new Map<string, KeptInstalls>());
  const revision = await ctx.database.readRevision();
  const known = kept.get(since);
  if (ctx.tx === undefined && known?.revision === revision) return known.installs;
  const installs = bySkill(await sqlOf(ctx).all(INSTALLS_OF_ALL, since));
  if (ctx.tx === undefined) {
    for (const [day, { revision: older }] of kept) if (older !== revision) kept.delete(day);
    kept.set(since, { revision, installs });
  }
  return installs;
}

function bySkill(rows: InstallRow[]): Map<string, Installs> {
  return new Map(rows.map(({ skillId, ...installs }) => [skillId, installs]));
}

/** Installs by skill id in total. May contain other skills than those asked for. */
export async function countInstalls(ctx: Ctx, skillIds: readonly string[]): Promise<Map<string, number>> {
  const counted = await countRecentInstalls(ctx, skillIds, NEVER);
  return new Map([...counted].map(([id, { installs }]) => [id, installs]));
}

const NEVER = "9999-12-31";
