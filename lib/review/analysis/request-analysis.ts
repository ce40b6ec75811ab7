import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { keepParsed, parseJsonColumn } from "@/lib/core/json";
import { logger } from "@/lib/core/logger";
import { storeOf } from "@/lib/core/process-store";
import { type Ctx, inTransaction } from "@/lib/db/context";
import { AnalysisReport, AnalysisStep, MAX_STEPS } from "@/lib/policy/analysis/schema";
import { type AnalysisAbility, WorkerOffers } from "@/lib/policy/eligibility/schema";
import { requireScope } from "@/lib/policy/require-scope";
import { loadModel } from "@/lib/settings/models/require-model";
import { getSettings } from "@/lib/settings/settings";
import { aboutSkill } from "@/lib/skills/about-skill";
import type { SkillRow } from "@/lib/skills/skill-access";
import { requireVersion, type VersionRow, withFilesAndDecisions } from "@/lib/skills/version-access";
import { LEASE_SECONDS } from "@/lib/worker/protocol";
import { ensureScanned } from "../open-version";
import { failAnalysis, isAuthorOf, STILL_WANTED } from "./finish-analysis";
import { coversPlan, planVersion } from "./plan-version";
import { presentAnalysis } from "./present-analysis";
import type { Analysis, StartAnalysisInput } from "./schema";

const Steps = z.array(AnalysisStep);

const OLD: AnalysisAbility = {
  kind: "not_available",
  reason: "The worker is of an earlier release, which has no dry runs. Update it.",
};

/** Waiting or executing: of the whole server, and of one person. The third is of one person in an hour. */
const MAX_OPEN = 100;
const MAX_OPEN_OF_PERSON = 10;
const MAX_PER_HOUR = 60;
/** Of those that the server starts itself, so that imports leave capacity for people. */
const MAX_AUTOMATIC = 5;
const HOUR_MS = 3_600_000;
const DEFAULT_SECONDS = 20;
/** Of all steps of a request, if each takes its whole time, so that every plan fits. Agents have a limit of their own. */
const MAX_SECONDS = MAX_STEPS * DEFAULT_SECONDS;
const MAX_AGENTS = 2;

type Place = { id: string; digest: string };

/**
 * Queues a dry run of a version, approved or not. Only for people with the scope `review`. It gives the
 * version no approval, run or result. Throws `conflict` when one is open for the version or no worker can execute it,
 * `rate_limited` beyond the quotas, and for an agent the errors of `loadModel`.
 */
export async function requestAnalysis(ctx: Ctx, place: Place, input: StartAnalysisInput): Promise<Analysis> {
  const person = requireScope(ctx.actor, "review");
  const { skill, version } = await requireVersion(ctx, place.id, place.digest);
  const asked = input.steps ?? (await planVersion(ctx, version)).steps;
  const stepSeconds = input.stepSeconds ?? DEFAULT_SECONDS;
  checkSteps(asked, version);
  checkTime(asked, stepSeconds);
  const steps = await Promise.all(asked.map((step) => withModel(ctx, step)));
  await requireAnalyst(ctx);
  const since = new Date(ctx.now().getTime() - HOUR_MS);
  const recent = await ctx.db.analysis.count({ where: { requestedById: person.userId, createdAt: { gte: since } } });
  if (recent >= MAX_PER_HOUR)
    throw new AppError("rate_limited", `You have started ${recent} analyses within an hour. Wait before the next one.`);
  await ensureScanned(ctx, place.id, place.digest);
  return queueAnalysis(ctx, { skill, version, steps, stepSeconds });
}

function checkSteps(steps: readonly AnalysisStep[], version: VersionRow): void {
  if (steps.length === 0)
    throw new AppError("invalid", "This version has nothing to execute: no entry, no script and no command.");
  const strange = steps.find(({ path }) => version.files.every((file) => file.path !== path));
  if (strange) throw new AppError("invalid", `This version has no file ${strange.path}.`);
}

function checkTime(steps: readonly AnalysisStep[], stepSeconds: number): void {
  const timed = steps.filter(({ kind }) => kind !== "agent").length;
  const agents = steps.length - timed;
  if (agents > MAX_AGENTS)
    throw new AppError(
      "invalid",
      `A dry run has at most ${MAX_AGENTS} agents, and this one has ${agents}. Leave some out.`,
    );
  if (timed * stepSeconds <= MAX_SECONDS) return;
  throw new AppError(
    "invalid",
    `${timed} steps of ${stepSeconds} seconds may take ${timed * stepSeconds} seconds; ${MAX_SECONDS} are allowed. Choose fewer steps or less time for each.`,
  );
}

/** Throws as `loadModel` does, before a worker is asked. */
async function withModel(ctx: Ctx, step: AnalysisStep): Promise<AnalysisStep> {
  if (step.kind !== "agent") return step;
  const { endpointId, model } = await loadModel(ctx, step);
  return { ...step, endpointId, model };
}

async function requireAnalyst(ctx: Ctx): Promise<void> {
  const workers = await listAnalysts(ctx);
  if (workers.some(({ ability }) => ability.kind === "available")) return;
  const reasons = workers.map(({ name, ability }) => `${name}: ${ability.kind === "available" ? "" : ability.reason}`);
  const why = reasons.length > 0 ? reasons.join(" ") : "No worker is online.";
  throw new AppError("conflict", `Dry runs are not available on any worker. ${why}`.slice(0, 2_000));
}

type Order = { skill: SkillRow; version: VersionRow; steps: AnalysisStep[]; stepSeconds: number };

function queueAnalysis(ctx: Ctx, { skill, version, steps, stepSeconds }: Order): Promise<Analysis> {
  return inTransaction(ctx, async (tx, txCtx) => {
    const open = await tx.analysis.findMany({
      where: { state: { in: ["queued", "running"] }, version: STILL_WANTED },
      select: { versionId: true, requestedById: true, steps: true, stepSeconds: true },
    });
    const actor = ctx.actor;
    const personId = isPerson(actor) ? actor.userId : null;
    const stored = JSON.stringify(steps);
    // Another person may have chosen steps in which nothing shows, so only equal ones stand for these.
    const isInWay = (other: (typeof open)[number]) =>
      other.versionId === version.id &&
      (other.requestedById === personId ||
        (personId !== null && other.steps === stored && other.stepSeconds >= stepSeconds));
    if (open.some(isInWay))
      throw new AppError("conflict", "An analysis of this version is under way. Wait for its report, or cancel it.");
    const own = open.filter(({ requestedById }) => requestedById === personId).length;
    if (personId !== null && own >= MAX_OPEN_OF_PERSON)
      throw new AppError(
        "rate_limited",
        `${own} of your dry runs wait or run already. Cancel one, or try again later.`,
      );
    if (open.length >= MAX_OPEN)
      throw new AppError("rate_limited", `${open.length} analyses are waiting already. Try again in a few minutes.`);
    const row = await tx.analysis.create({
      data: {
        ...{ id: newId(), versionId: version.id, digest: version.digest, state: "queued" },
        ...{ steps: stored, stepSeconds, createdAt: ctx.now() },
        requestedById: personId,
        requestedByName: isPerson(actor) ? actor.name : "Server",
      },
    });
    await recordEvent(tx, txCtx, {
      action: "analysis.requested",
      summary: `requested a dry run of ${skill.name} ${version.digest.slice(0, 7)} with ${steps.length} ${steps.length === 1 ? "step" : "steps"}`,
      ...aboutSkill(skill),
      versionDigest: version.digest,
      data: { analysisId: row.id, steps: steps.map(toldOf), stepSeconds },
    });
    return presentAnalysis(txCtx, version, row);
  });
}

/**
 * Ends a dry run that waits or executes. For the person who requested it, and for reviewers and admins who are not the
 * version's author. A worker that executes it finishes its steps, and its report is refused. Throws `conflict` when it has ended.
 */
export async function cancelAnalysis(ctx: Ctx, place: Place & { analysisId: string }): Promise<Analysis> {
  const person = requireScope(ctx.actor, "review");
  return inTransaction(ctx, async (tx, txCtx) => {
    const { skill, version } = await requireVersion(txCtx, place.id, place.digest);
    const row = await tx.analysis.findFirst({ where: { id: place.analysisId, versionId: version.id } });
    if (!row) throw new AppError("not_found", `Version ${version.digest.slice(0, 7)} has no such analysis.`);
    if (row.requestedById !== person.userId && isAuthorOf(person.userId, skill, version))
      throw new AppError("forbidden", "Authors cannot cancel a dry run that others requested. Ask the reviewer.");
    if (row.state !== "queued" && row.state !== "running")
      throw new AppError("conflict", "This analysis has ended already.");
    const reason = `${person.name} cancelled the dry run.`;
    await failAnalysis(tx, txCtx, row.id, reason, "analysis.cancelled");
    return presentAnalysis(txCtx, version, await tx.analysis.findUniqueOrThrow({ where: { id: row.id } }));
  });
}

/** Of a step, for the audit log. */
function toldOf(step: AnalysisStep) {
  const { kind, path } = step;
  return kind === "agent" ? { kind, path, model: step.model ?? null } : { kind, path };
}

/** Versions that execute nothing or whose plan a person has had executed, by id, which stays so: their files never change. */
function settledVersions(ctx: Ctx): Set<string> {
  return storeOf(ctx.database, "versions-without-due-analysis", () => new Set<string>());
}

/**
 * Whether a dry run of a person executes, or has executed, all that one of the server would, with as much time. Others do
 * not replace it: their steps may be chosen so that nothing shows.
 */
async function findWhole(
  ctx: Ctx,
  versionId: string,
  plan: readonly AnalysisStep[],
): Promise<"finished" | "open" | null> {
  const rows = await ctx.db.analysis.findMany({
    where: { versionId, state: { not: "failed" }, stepSeconds: { gte: DEFAULT_SECONDS } },
    orderBy: { id: "desc" },
    take: MAX_AUTOMATIC,
  });
  const whole = rows.filter((row) => {
    const steps = keepParsed(Steps, row.steps);
    if (row.state !== "finished" || row.report === null) return coversPlan(steps, plan);
    const done = parseJsonColumn(AnalysisReport, row.report).steps.filter(({ end }) => end.kind !== "not_started");
    return coversPlan(
      done.flatMap(({ step }) => steps[step] ?? []),
      plan,
    );
  });
  if (whole.length === 0) return null;
  return whole.some(({ state }) => state === "finished") ? "finished" : "open";
}

/**
 * Queues dry runs of imported versions in review that have none of the server and none that executes their whole plan, when
 * an admin has chosen so; at most 5 wait or execute at once. Returns the number. Does nothing while no worker can execute one.
 */
export async function requestDueAnalyses(ctx: Ctx): Promise<number> {
  if (!(await getSettings(ctx)).analyzeImports) return 0;
  const workers = await listAnalysts(ctx);
  if (!workers.some(({ ability }) => ability.kind === "available")) return 0;
  const open = { state: { in: ["queued", "running"] }, requestedById: null };
  const free = MAX_AUTOMATIC - (await ctx.db.analysis.count({ where: open }));
  const due = await ctx.db.version.findMany({
    where: {
      ...{ state: "pending", analyses: { none: { requestedById: null } }, scan: { isNot: null }, tampered: null },
      skill: { deletedAt: null, source: { in: ["imported", "catalog", "integration"] } },
    },
    orderBy: { submittedAt: "asc" },
    select: { id: true },
  });
  const settled = settledVersions(ctx);
  let count = 0;
  for (const { id } of due) {
    if (count >= free) break;
    if (settled.has(id)) continue;
    // The server is no person, to whom skills would be visible.
    const { skill, ...version } = await ctx.db.version.findUniqueOrThrow({
      where: { id },
      include: { ...withFilesAndDecisions, skill: { include: { current: true, pending: true } } },
    });
    try {
      const { steps } = await planVersion(ctx, version);
      const whole = steps.length === 0 ? "finished" : await findWhole(ctx, id, steps);
      if (whole === "finished") settled.add(id);
      if (whole !== null) continue;
      await queueAnalysis(ctx, { skill, version, steps, stepSeconds: DEFAULT_SECONDS });
      count += 1;
    } catch (err) {
      if (!(err instanceof AppError)) throw err;
      logger.info({ digest: version.digest, reason: err.message }, "no dry run of an import");
    }
  }
  return count;
}

/** The workers that are online, with whether each can execute dry runs. */
export async function listAnalysts(ctx: Ctx): Promise<{ name: string; ability: AnalysisAbility }[]> {
  const since = new Date(ctx.now().getTime() - LEASE_SECONDS * 2 * 1000);
  const rows = await ctx.db.worker.findMany({
    where: { revokedAt: null, lastSeenAt: { gte: since } },
    orderBy: { name: "asc" },
    select: { name: true, offers: true },
  });
  return rows.map(({ name, offers }) => ({ name, ability: keepParsed(WorkerOffers, offers).analysis ?? OLD }));
}
