import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/json";
import { logger } from "@/lib/core/logger";
import { redactMarked } from "@/lib/core/redact/redact-marked";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { type Model, requireModel } from "@/lib/settings/models/require-model";
import { getSettings } from "@/lib/settings/settings";
import { SkillManifest } from "@/lib/skill-format/schema";
import { requireManagedSkill, type SkillRow } from "@/lib/skills/skill-access";
import { filterTraces } from "../traces/filter-traces";
import { evolveDescription } from "./evolve-description";
import { aboutOverlay, type OverlayRow, presentOverlay } from "./read-overlays";
import {
  MAX_DESCRIPTION,
  MIN_TRACES,
  type OptimizeInput,
  type OverlayContent,
  type OverlayEvidence,
  type OverlayExample,
  type SkillOverlay,
} from "./schema";
import { contentOfSkill, storeOverlay, writeOverlayToml } from "./submit-overlay";

const EXAMPLES = 4;
const PHRASES = 3;
const MAX_PHRASE = 80;
const MAX_EXAMPLE_SIDE = 600;

type Bootstrap = { description: string; fewShot: OverlayExample[]; chosenIds: string[] };

const SERVED = " It has served for: ";
const MAX_WORK_MS = 10 * 60 * 1000;
const SHOWN_TRACES = 40;
const OTHER_REQUESTS = 16;
const MAX_REQUEST = 160;

/**
 * Proposes a better description and examples for a skill from its traces, for a reviewer to decide on. `bootstrap` returns the
 * proposal immediately; `gepa` returns an overlay in the state `working` and asks a model for at most ten minutes. `conflict`
 * (rule `too-few-traces`) with fewer than 20 traces that the caller may read.
 */
export async function optimizeSkill(ctx: Ctx, idOrName: string, input: OptimizeInput): Promise<SkillOverlay> {
  const { overlay, work } = await beginOptimizing(ctx, idOrName, input);
  work?.catch((error: unknown) => logger.error({ err: error }, "an optimiser ended with an error"));
  return overlay;
}

type Started = { overlay: SkillOverlay; work: Promise<void> | null };

/** Like `optimizeSkill`, and also returns a promise for the end of the model's work; null when there is none. */
export async function beginOptimizing(ctx: Ctx, idOrName: string, input: OptimizeInput): Promise<Started> {
  const skill = await requireManagedSkill(ctx, idOrName);
  const { digest, content } = contentOfSkill(skill);
  const traces = await collectTraces(ctx, skill.id);
  if (traces.length < MIN_TRACES) {
    const message = `“${skill.name}” has ${traces.length} traces that you may read; a proposal needs at least ${MIN_TRACES}.`;
    throw new AppError("conflict", message, { rule: "too-few-traces" });
  }
  const proposed = bootstrapOverlay(content.description, traces);
  const model = input.optimizer === "gepa" ? await requireModel(ctx, input) : null;
  const row = await inTransaction(ctx, async (tx, txCtx) => {
    const busy = await tx.overlay.findFirst({
      where: { skillId: skill.id, state: "working", createdAt: { gt: new Date(ctx.now().getTime() - MAX_WORK_MS) } },
    });
    if (busy) throw new AppError("conflict", `An optimiser is already running for “${skill.name}”.`);
    return storeOverlay(txCtx, skill, digest, {
      state: model ? "working" : "pending",
      optimizer: input.optimizer,
      optimizedAt: ctx.now(),
      traceCount: traces.length,
      description: model ? null : proposed.description,
      fewShot: proposed.fewShot,
      before: content,
      evidence: evidenceOf(traces, proposed.chosenIds),
    });
  });
  const overlay = presentOverlay(ctx, row, skill, await getSettings(ctx));
  return { overlay, work: model ? evolve(ctx, { skill, row, content, traces, model }) : null };
}

type Evolution = { skill: SkillRow; row: OverlayRow; content: OverlayContent; traces: SkillTrace[]; model: Model };

async function evolve(ctx: Ctx, { skill, row, content, traces, model }: Evolution): Promise<void> {
  try {
    const question = {
      description: content.description,
      wanted: requestsOf(traces.filter(({ outcome, rating }) => outcome === "ok" && rating >= 0)),
      unwanted: await collectOtherRequests(ctx, skill.id, OTHER_REQUESTS),
    };
    const { description, score } = await evolveDescription(model, question, AbortSignal.timeout(MAX_WORK_MS));
    const evidence = { ...(JSON.parse(row.evidence) as OverlayEvidence), score };
    const done = { description, optimizedAt: ctx.now(), evidence: JSON.stringify(evidence) };
    const file = { ...done, skillName: skill.name, optimizer: row.optimizer, traceCount: row.traceCount };
    const toml = writeOverlayToml({ ...file, fewShot: JSON.parse(row.fewShot) });
    await endWork(ctx, skill, row, { ...done, toml, state: "pending" });
  } catch (error) {
    const message =
      error instanceof AppError ? error.message : "The optimiser failed. The server's log has the reason.";
    if (!(error instanceof AppError)) logger.error({ err: error, overlayId: row.id }, "an optimiser failed");
    await endWork(ctx, skill, row, { state: "failed", error: message });
  }
}

type Outcome = Partial<Pick<OverlayRow, "description" | "optimizedAt" | "evidence" | "toml" | "error">> & {
  state: "pending" | "failed";
};

async function endWork(ctx: Ctx, skill: SkillRow, row: OverlayRow, outcome: Outcome): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    await tx.overlay.updateMany({ where: { id: row.id, state: "working" }, data: outcome });
    const worked = outcome.state === "pending";
    await recordEvent(tx, txCtx, {
      action: "overlay.optimize",
      ...aboutOverlay(row, skill),
      outcome: worked ? "ok" : "failed",
      summary: worked ? `optimised the overlay of ${skill.name}` : `could not optimise the overlay of ${skill.name}`,
      data: { description: outcome.description ?? null, error: outcome.error ?? null },
    });
  });
}

function evidenceOf(traces: SkillTrace[], chosenIds: string[]): OverlayEvidence {
  const chosen = new Set(chosenIds);
  const shown = [...traces.filter(({ id }) => chosen.has(id)), ...traces.filter(({ id }) => !chosen.has(id))];
  return {
    traces: shown.slice(0, SHOWN_TRACES).map(({ id, at, surface, input, rating, outcome }) => ({
      id,
      at: at.toISOString(),
      surface,
      input: input.slice(0, MAX_REQUEST),
      rating,
      outcome,
      chosen: chosen.has(id),
    })),
    ratedUp: traces.filter(({ rating }) => rating > 0).length,
    ratedDown: traces.filter(({ rating }) => rating < 0).length,
    failed: traces.filter(({ outcome }) => outcome !== "ok").length,
    score: null,
  };
}

function requestsOf(traces: SkillTrace[]): string[] {
  return [...new Set(traces.map(({ input }) => input.trim()).filter((input) => input !== ""))];
}

/** Uses the four best traces as examples and names their requests; failed or rated-down traces are never used. */
function bootstrapOverlay(description: string, traces: SkillTrace[]): Bootstrap {
  const best = distinctByInput(traces.filter(isGood).sort(byMerit)).slice(0, EXAMPLES);
  return {
    description: nameRequests(description, best),
    fewShot: best.map(({ input, output }) => ({
      input: cut(input, MAX_EXAMPLE_SIDE),
      output: cut(output, MAX_EXAMPLE_SIDE),
    })),
    chosenIds: best.map(({ id }) => id),
  };
}

function isGood({ input, output, rating, outcome }: SkillTrace): boolean {
  return outcome === "ok" && rating >= 0 && input.trim() !== "" && output.trim() !== "";
}

function byMerit(a: SkillTrace, b: SkillTrace): number {
  return b.rating - a.rating || b.at.getTime() - a.at.getTime() || (a.id < b.id ? -1 : 1);
}

function distinctByInput(traces: SkillTrace[]): SkillTrace[] {
  const seen = new Set<string>();
  return traces.filter(({ input }) => {
    const key = input.trim().toLowerCase().replaceAll(/\s+/g, " ");
    return !seen.has(key) && seen.add(key);
  });
}

/** Appends short requests that the skill served well, as many as fit the format's limit. */
function nameRequests(description: string, best: SkillTrace[]): string {
  const own = description.split(SERVED, 1)[0] ?? description;
  const phrases = best
    .map(({ input }) => input.trim().replaceAll(/\s+/g, " "))
    .filter((phrase) => phrase.length <= MAX_PHRASE && !/^[[{]/.test(phrase))
    .slice(0, PHRASES);
  for (let count = phrases.length; count > 0; count--) {
    const text = `${own}${SERVED}${phrases
      .slice(0, count)
      .map((phrase) => `“${phrase}”`)
      .join(", ")}.`;
    if (text.length <= MAX_DESCRIPTION) return text;
  }
  return description;
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

const MAX_TRACES = 500;
const MAX_SIDE = 4000;

/** The newest finished uses that the caller may read, without secret values, since agents will see the chosen ones. */
export async function collectTraces(ctx: Ctx, skillId: string): Promise<SkillTrace[]> {
  const { runs, steps } = await filterTraces(ctx, requireScope(ctx.actor, "read"), { skill: skillId });
  const ended = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Run" WHERE ${runs} AND "state" IN ('succeeded', 'failed') AND "retryOfId" IS NULL
      AND "surface" <> 'evaluation' ORDER BY "id" DESC LIMIT ${MAX_TRACES}`;
  const loaded = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "AgentStep" WHERE ${steps} AND "kind" = 'loaded' AND "surface" <> 'evaluation'
      ORDER BY "id" DESC LIMIT ${MAX_TRACES}`;
  const rows = await ctx.db.run.findMany({
    where: { id: { in: ended.map(({ id }) => id) } },
    select: {
      ...{ id: true, queuedAt: true, surface: true, args: true, result: true, rating: true, state: true },
      version: { select: { manifest: true } },
    },
  });
  const loads = await ctx.db.agentStep.findMany({ where: { id: { in: loaded.map(({ id }) => id) } } });
  const traces = [
    ...rows.map((run) => ({
      id: run.id,
      at: run.queuedAt,
      surface: run.surface,
      input: argumentsOf(run).slice(0, MAX_SIDE),
      output: (run.result ?? "").slice(0, MAX_SIDE),
      rating: run.rating,
      outcome: run.state === "succeeded" ? "ok" : "failed",
    })),
    ...loads.map((step) => ({
      id: step.id,
      at: step.at,
      surface: step.surface,
      input: (step.input ?? "").slice(0, MAX_SIDE),
      output: (step.output ?? "").slice(0, MAX_SIDE),
      rating: step.rating,
      outcome: step.outcome,
    })),
  ];
  return traces.sort((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1)).slice(0, MAX_TRACES);
}

function argumentsOf(run: { args: string; version: { manifest: string } }): string {
  const { schema } = keepParsed(SkillManifest, run.version.manifest);
  return JSON.stringify(redactMarked(schema, JSON.parse(run.args)));
}

/** Requests to other skills that the caller may read: for these, this skill is the wrong choice. */
export async function collectOtherRequests(ctx: Ctx, skillId: string, count: number): Promise<string[]> {
  const { steps } = await filterTraces(ctx, requireScope(ctx.actor, "read"), {});
  const found = await ctx.db.$queryRaw<{ input: string }[]>(Prisma.sql`
    SELECT "input" FROM "AgentStep" WHERE ${steps} AND "kind" = 'loaded' AND "skillId" <> ${skillId} AND "input" IS NOT NULL
      ORDER BY "id" DESC LIMIT ${count * 3}`);
  return [...new Set(found.map(({ input }) => input.trim()).filter((input) => input !== ""))].slice(0, count);
}

export type SkillTrace = {
  id: string;
  at: Date;
  surface: string;
  input: string;
  output: string;
  /** -1, 0 or 1. */
  rating: number;
  outcome: string;
};
