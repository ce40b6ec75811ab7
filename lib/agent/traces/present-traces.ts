import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { hasScope, requirePerson, seesAll } from "@/lib/policy/require-scope";
import { visibleTo } from "@/lib/skills/skill-access";
import { STATES } from "./filter-traces";
import { Rating, type Trace, TraceOutcome, TraceSurface } from "./schema";

export async function loadTraces(ctx: Ctx, ids: string[]) {
  const where = { id: { in: ids } };
  const include = { version: { select: { number: true, manifest: true } } };
  return {
    runs: await ctx.db.run.findMany({ where, include }),
    steps: await ctx.db.agentStep.findMany({ where, include: { session: true } }),
  };
}
export type LoadedTraces = Awaited<ReturnType<typeof loadTraces>>;

type RunTrace = LoadedTraces["runs"][number];
type StepTrace = LoadedTraces["steps"][number];
type Names = {
  people: Map<string, string>;
  skills: Map<string, { name: string; source: string }>;
  versions: Map<string, number>;
  actor: PersonActor;
};

/** Traces with names, in the order of `ids`, without names of skills that the caller cannot see. Constant number of queries. */
export async function presentTraces(ctx: Ctx, { runs, steps }: LoadedTraces, ids: string[]): Promise<Trace[]> {
  const actor = requirePerson(ctx.actor);
  const all = [...runs, ...steps];
  const users = [...all.map((row) => row.ratedById), ...steps.map(({ session }) => session.userId)];
  const people = await ctx.db.user.findMany({
    where: { id: { in: present(users) } },
    select: { id: true, name: true },
  });
  const skillIds = present(all.map(({ skillId }) => skillId));
  const skills = await ctx.db.skill.findMany({
    where: { AND: [visibleTo(actor), { id: { in: skillIds } }] },
    select: { id: true, name: true, source: true },
  });
  const digests = present(steps.map(({ versionDigest }) => versionDigest));
  const versions = await ctx.db.version.findMany({
    where: { skillId: { in: skillIds }, digest: { in: digests } },
    select: { skillId: true, digest: true, number: true },
  });
  const names: Names = {
    people: new Map(people.map(({ id, name }) => [id, name])),
    skills: new Map(skills.map(({ id, ...skill }) => [id, skill])),
    versions: new Map(versions.map(({ skillId, digest, number }) => [`${skillId} ${digest}`, number])),
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
    versionNumber: run.version.number,
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
  const { session } = step;
  const isLoading = step.kind === "loaded" || step.tool === "use_skill";
  return {
    ...common(step, names),
    at: step.at.toISOString(),
    kind: isLoading ? "instructional" : "executable",
    versionNumber: names.versions.get(`${step.skillId} ${step.versionDigest}`) ?? null,
    outcome: TraceOutcome.parse(step.outcome),
    detail: step.detail,
    person: { id: session.userId, name: names.people.get(session.userId) ?? null },
    runId: step.runId,
    sessionId: seesSession(names.actor, session.userId) ? step.sessionId : null,
    mayRate: mayRate(names.actor, session.userId),
  };
}

type Common = Pick<StepTrace, "id" | "skillId" | "versionDigest" | "surface" | "durationMs" | "rating" | "ratedById">;

function common(row: Common, { skills, people }: Names) {
  const skill = row.skillId === null ? undefined : skills.get(row.skillId);
  return {
    id: row.id,
    skill: row.skillId === null ? null : { id: row.skillId, name: skill?.name ?? null },
    source: skill?.source ?? null,
    versionDigest: row.versionDigest,
    surface: TraceSurface.parse(row.surface),
    durationMs: row.durationMs,
    rating: Rating.parse(row.rating),
    ratedBy: row.ratedById === null ? null : { id: row.ratedById, name: people.get(row.ratedById) ?? null },
  };
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
