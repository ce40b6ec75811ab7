import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import type { AgentStep, Run } from "@/lib/db/generated/client";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";
import { hasScope, requirePerson, seesAll } from "@/lib/policy/require-scope";
import { readVisibleSkills } from "@/lib/skills/access/visible-skills";
import { readNames } from "../sessions/agent-sessions";
import { STATES } from "./filter-traces";
import { Rating, type Trace, TraceOutcome, TraceSurface } from "./schema";

type RunTrace = Pick<
  Run,
  | "id"
  | "skillId"
  | "versionDigest"
  | "state"
  | "queuedAt"
  | "durationMs"
  | "errorMessage"
  | "callerId"
  | "callerName"
  | "callerKind"
  | "sessionId"
  | "surface"
  | "rating"
  | "ratedById"
> & { versionNumber: number };
type StepTrace = Omit<AgentStep, "input" | "output"> & { userId: string };
export type LoadedTraces = { runs: RunTrace[]; steps: StepTrace[] };

const runsOf = (dialect: Dialect) =>
  `SELECT r."id", r."skillId", r."versionDigest", r."state", r."queuedAt", r."durationMs", r."errorMessage", r."callerId",
     r."callerName", r."callerKind", r."sessionId", r."surface", r."rating", r."ratedById", v."number" AS "versionNumber"
   FROM "Run" r JOIN "Version" v ON v."id" = r."versionId" WHERE r."id" IN ${jsonList(dialect)}`;
const RUNS = query<RunTrace>({ sqlite: runsOf("sqlite"), postgresql: runsOf("postgresql") }, { queuedAt: "date" });
const stepsOf = (dialect: Dialect) =>
  `SELECT t."id", t."sessionId", t."at", t."kind", t."skillId", t."versionDigest", t."tool", t."outcome", t."detail", t."runId",
     t."durationMs", t."surface", t."rating", t."ratedById", s."userId"
   FROM "AgentStep" t JOIN "AgentSession" s ON s."id" = t."sessionId" WHERE t."id" IN ${jsonList(dialect)}`;
const STEPS = query<StepTrace>({ sqlite: stepsOf("sqlite"), postgresql: stepsOf("postgresql") }, { at: "date" });
const numbersOf = (dialect: Dialect) =>
  `SELECT "skillId", "digest", "number" FROM "Version" WHERE "skillId" IN ${jsonList(dialect)} AND "digest" IN ${jsonList(dialect)}`;
const NUMBERS = query<{ skillId: string; digest: string; number: number }>({
  sqlite: numbersOf("sqlite"),
  postgresql: numbersOf("postgresql"),
});

export async function loadTraces(ctx: Ctx, ids: string[]): Promise<LoadedTraces> {
  const list = JSON.stringify(ids);
  return { runs: await sqlOf(ctx).all(RUNS, list), steps: await sqlOf(ctx).all(STEPS, list) };
}

type Names = {
  people: Map<string, string>;
  skills: Map<string, { name: string; label: string | null; source: string }>;
  versions: Map<string, number>;
  actor: PersonActor;
};

/** Traces with names, in the order of `ids`, without names of skills that the caller cannot see. Constant number of queries. */
export async function presentTraces(ctx: Ctx, { runs, steps }: LoadedTraces, ids: string[]): Promise<Trace[]> {
  const actor = requirePerson(ctx.actor);
  const all = [...runs, ...steps];
  const people = await readNames(ctx, [...all.map((row) => row.ratedById), ...steps.map(({ userId }) => userId)]);
  const skillIds = all.map(({ skillId }) => skillId);
  const digests = steps.map(({ versionDigest }) => versionDigest);
  const names: Names = {
    people,
    skills: await readVisibleSkills(ctx, skillIds),
    versions: await numberVersions(ctx, skillIds, digests),
    actor,
  };
  const traces = new Map([
    ...runs.map((run) => [run.id, presentRun(run, names)] as const),
    ...steps.map((step) => [step.id, presentStep(step, names)] as const),
  ]);
  return ids.flatMap((id) => traces.get(id) ?? []);
}

function presentRun(run: RunTrace, names: Names): Trace {
  return {
    ...common(run, names),
    at: run.queuedAt.toISOString(),
    kind: "executable",
    versionNumber: run.versionNumber,
    outcome: TraceOutcome.options.find((outcome) => STATES[outcome].includes(run.state)) ?? "open",
    detail: run.errorMessage ?? run.state.replaceAll("_", " "),
    person: { id: run.callerId, name: run.callerName },
    runId: run.id,
    // For a person in the browser, the session is a sign-in and not an agent session.
    sessionId: run.callerKind === "token" && seesSession(names.actor, run.callerId) ? run.sessionId : null,
    mayRate: mayRate(names.actor, run.callerId),
  };
}

function presentStep(step: StepTrace, names: Names): Trace {
  const isLoading = step.kind === "loaded" || step.tool === "use_skill";
  return {
    ...common(step, names),
    at: step.at.toISOString(),
    kind: isLoading ? "instructional" : "executable",
    versionNumber: names.versions.get(`${step.skillId} ${step.versionDigest}`) ?? null,
    outcome: TraceOutcome.parse(step.outcome),
    detail: step.detail,
    person: { id: step.userId, name: names.people.get(step.userId) ?? null },
    runId: step.runId,
    sessionId: seesSession(names.actor, step.userId) ? step.sessionId : null,
    mayRate: mayRate(names.actor, step.userId),
  };
}

type Common = Pick<StepTrace, "id" | "skillId" | "versionDigest" | "surface" | "durationMs" | "rating" | "ratedById">;

function common(row: Common, { skills, people }: Names) {
  const skill = row.skillId === null ? undefined : skills.get(row.skillId);
  return {
    id: row.id,
    skill: row.skillId === null ? null : { id: row.skillId, name: skill?.name ?? null, label: skill?.label ?? null },
    source: skill?.source ?? null,
    versionDigest: row.versionDigest,
    surface: TraceSurface.parse(row.surface),
    durationMs: row.durationMs,
    rating: Rating.parse(row.rating),
    ratedBy: row.ratedById === null ? null : { id: row.ratedById, name: people.get(row.ratedById) ?? null },
  };
}

/** Numbers of versions by skill id and digest, separated by a space. */
export async function numberVersions(
  ctx: Ctx,
  skillIds: (string | null)[],
  digests: (string | null)[],
): Promise<Map<string, number>> {
  const wanted = present(digests);
  if (wanted.length === 0) return new Map();
  const rows = await sqlOf(ctx).all(NUMBERS, JSON.stringify(present(skillIds)), JSON.stringify(wanted));
  return new Map(rows.map(({ skillId, digest, number }) => [`${skillId} ${digest}`, number]));
}

/** People may rate their own uses; reviewers and admins all uses. */
export function mayRate(actor: PersonActor, userId: string): boolean {
  return hasScope(actor, "run") && (seesAll(actor) || userId === actor.userId);
}

function seesSession(actor: PersonActor, userId: string): boolean {
  return hasScope(actor, "admin") || userId === actor.userId;
}

function present(ids: (string | null)[]): string[] {
  return [...new Set(ids.flatMap((id) => id ?? []))];
}
