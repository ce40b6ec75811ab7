import { isAgent, type PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { Prisma, type Run } from "@/lib/db/generated/client";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";

import { requirePerson, seesAll } from "@/lib/policy/require-scope";
import type { SkillClass } from "@/lib/skill-format/schema";
import { loadFilesAndDecisions, loadSkill, loadVersion } from "@/lib/skills/skill-access";

export const withNames = {
  skill: {
    select: { id: true, name: true, slug: true, toolName: true, label: true, ownerKey: true, deletedAt: true },
  },
  version: { select: { number: true } },
  worker: { select: { id: true, name: true } },
} satisfies Prisma.RunInclude;
export type RunRow = Prisma.RunGetPayload<{ include: typeof withNames }>;

const SPECIAL = {
  timedOut: "flag",
  truncated: "flag",
  warm: "flag",
  unacknowledged: "flag",
  leaseUntil: "date",
  parkedAt: "date",
  expiresAt: "date",
  queuedAt: "date",
  startedAt: "date",
  finishedAt: "date",
} as const;

type Joined = Run & {
  ownerOfSkill: string | null;
  skillName: string;
  skillSlug: string;
  skillToolName: string;
  skillLabel: string | null;
  skillOwnerKey: string;
  skillDeletedAt: Date | null;
  versionNumber: number;
  workerName: string | null;
};
const JOINED = `SELECT r.*, s."ownerId" AS "ownerOfSkill", s."name" AS "skillName", s."slug" AS "skillSlug",
     s."toolName" AS "skillToolName", s."label" AS "skillLabel", s."ownerKey" AS "skillOwnerKey",
     s."deletedAt" AS "skillDeletedAt", v."number" AS "versionNumber", w."name" AS "workerName"
   FROM "Run" r JOIN "Skill" s ON s."id" = r."skillId" JOIN "Version" v ON v."id" = r."versionId"
     LEFT JOIN "Worker" w ON w."id" = r."workerId"`;
const RUN = query<Joined>(`${JOINED} WHERE r."id" = ?`, { ...SPECIAL, skillDeletedAt: "date" });
const runsAmong = (dialect: Dialect) => `${JOINED} WHERE r."id" IN ${jsonList(dialect)} ORDER BY r."id" DESC`;
const RUNS = query<Joined>(
  { sqlite: runsAmong("sqlite"), postgresql: runsAmong("postgresql") },
  { ...SPECIAL, skillDeletedAt: "date" },
);

/** A run with the names of its skill, version and worker, and the skill's owner. */
export async function loadRun(ctx: Ctx, id: string): Promise<{ run: RunRow; ownerOfSkill: string | null } | undefined> {
  const row = await sqlOf(ctx).get(RUN, id);
  return row && { run: toRunRow(row), ownerOfSkill: row.ownerOfSkill };
}

/** Runs by id, newest first, without an access check. */
export async function loadRuns(ctx: Ctx, ids: readonly string[]): Promise<RunRow[]> {
  return (await sqlOf(ctx).all(RUNS, JSON.stringify(ids))).map(toRunRow);
}

function toRunRow(row: Joined): RunRow {
  const {
    ownerOfSkill: _ofSkill,
    skillName: name,
    skillSlug: slug,
    skillToolName: toolName,
    skillLabel: label,
    skillOwnerKey: ownerKey,
    skillDeletedAt: deletedAt,
    versionNumber: number,
    workerName,
    ...run
  } = row;
  const skill = { id: run.skillId, name, slug, toolName, label, ownerKey, deletedAt };
  const worker = run.workerId === null || workerName === null ? null : { id: run.workerId, name: workerName };
  return { ...run, skill, version: { number }, worker };
}

export type WantedRuns = {
  workerId: string;
  scopes: string[];
  leftToOthers: { class: SkillClass; scopes: string[] }[];
  /** Ids of versions whose runs only workers that allow them take, unless a run targets this worker. */
  leftVersions?: string[];
};
export type WaitingRun = Awaited<ReturnType<typeof loadWaiting>>[number];

/** The queued runs that a worker may take, oldest first: those that target it, and those that any worker may take. */
export async function loadWaiting(
  ctx: Ctx,
  { workerId, scopes, leftToOthers, leftVersions = [] }: WantedRuns,
  limit: number,
) {
  const among = (values: string[]) => values.map(() => "?").join(", ");
  const sql = sqlOf(ctx);
  const left = leftToOthers.map((others) => ` AND NOT ("class" = ? AND "scope" IN (${among(others.scopes)}))`);
  if (leftVersions.length > 0) left.push(` AND "versionId" NOT IN ${jsonList(sql.dialect)}`);
  const text = `SELECT "id" FROM "Run" WHERE "state" = ? AND "scope" IN (${among(scopes)})
     AND ("targetWorker" = ? OR ("targetWorker" IS NULL${left.join("")}))
   ORDER BY "queuedAt", "id" LIMIT ${limit}`;
  const values = leftToOthers.flatMap((others) => [others.class, ...others.scopes]);
  if (leftVersions.length > 0) values.push(JSON.stringify(leftVersions));
  // All waiting runs are sorted to find the oldest, so only their ids are. With a bound limit SQLite would plan the statement
  // again each time.
  const oldest = await sql.all(query<{ id: string }>(text), "queued", ...scopes, workerId, ...values);
  const ids = oldest.map(({ id }) => id);
  if (ids.length === 0) return [];
  const runs = await sql.all(query<Run>(`SELECT * FROM "Run" WHERE "id" IN (${among(ids)})`, SPECIAL), ...ids);
  const parts = new Map<string, Promise<Awaited<ReturnType<typeof loadParts>>>>();
  const complete = [];
  for (const run of runs.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))) {
    const known = parts.get(run.versionId) ?? loadParts(ctx, run);
    parts.set(run.versionId, known);
    complete.push({ ...run, ...(await known) });
  }
  return complete;
}

async function loadParts(ctx: Ctx, run: Run) {
  const [skill, version] = [await loadSkill(ctx, run.skillId), await loadVersion(ctx, run.versionId)];
  if (!skill || !version) throw new Error(`the run ${run.id} has lost its skill`);
  return { skill, version: { ...version, ...(await loadFilesAndDecisions(ctx, version.id)) } };
}

/**
 * The runs that a person may see: those they started and those of their own skills; reviewers and admins see all. Agents see
 * only those of their own person, because what other people pass to a skill is not theirs to read.
 */
export function runsVisibleTo(actor: PersonActor): Prisma.RunWhereInput {
  if (seesAll(actor)) return {};
  if (isAgent(actor)) return { callerId: actor.userId };
  return { OR: [{ callerId: actor.userId }, { skill: { ownerId: actor.userId } }] };
}

/** The condition of `runsVisibleTo` in SQL, for statements over `"Run"`. */
export function runsVisibleToSql(actor: PersonActor): Prisma.Sql {
  if (seesAll(actor)) return Prisma.sql`1 = 1`;
  if (isAgent(actor)) return Prisma.sql`"callerId" = ${actor.userId}`;
  return Prisma.sql`("callerId" = ${actor.userId}
    OR "skillId" IN (SELECT "id" FROM "Skill" WHERE "ownerId" = ${actor.userId}))`;
}

/** `runsVisibleTo` for one run. */
export function maySeeRun(actor: PersonActor, run: { callerId: string; ownerOfSkill: string | null }): boolean {
  if (seesAll(actor) || run.callerId === actor.userId) return true;
  return !isAgent(actor) && run.ownerOfSkill === actor.userId;
}

/** A run the caller may see, else `not_found`. */
export async function requireRun(ctx: Ctx, id: string): Promise<RunRow> {
  const actor = requirePerson(ctx.actor);
  const found = await loadRun(ctx, id);
  if (found === undefined || !maySeeRun(actor, { ...found.run, ownerOfSkill: found.ownerOfSkill }))
    throw new AppError("not_found", `There is no run ${id.slice(0, 64)} that you can see.`);
  return found.run;
}
