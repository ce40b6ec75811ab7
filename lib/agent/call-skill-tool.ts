import { AppError } from "@/lib/core/errors";
import { type Ctx, inQuickTransaction } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import { query } from "@/lib/db/sql";
import type { ToolQuestion } from "@/lib/policy/tool-limit/decide-tool";
import { cancelRun } from "@/lib/runner/runs/cancel-runs";
import { getRun, waitForRun } from "@/lib/runner/runs/get-run";
import { startRun } from "@/lib/runner/runs/start-run";
import { streamEvents } from "@/lib/runner/runs/stream-events";
import { type DryRun, FINAL_STATES, type Run, type RunEvent } from "@/lib/runner/schema";
import { JsonObject } from "@/lib/skill-format/schema";
import type { AgentTool, ToolAnswer } from "./schema";
import { recordStep } from "./sessions/record-step";

export type CallOptions = {
  /** A further tool limit that applies beside the session's and that no playbook replaces. */
  within?: Pick<ToolQuestion, "limit" | "denied"> | null;
  signal?: AbortSignal;
  /** Ends the wait for the result; the run continues. */
  leave?: AbortSignal;
  /** What to do with the run then; default: `leave`, it continues. */
  onAbort?: "leave" | "cancel";
  /** Maximum time to wait for the result; default: 60. */
  waitSeconds?: number;
  /** Whether the client can ask its person to confirm; default: true. Otherwise skills that need it are not offered. */
  canConfirm?: boolean;
  /** Asks the token's person to confirm a run, when their policy requires it; true when they confirmed. */
  confirm?(question: Confirmation): Promise<boolean>;
  /** Id of a confirmation that counts once: a second run with it is refused. Becomes the id of the step. */
  confirmationId?: string;
  onStart?(run: Run): void;
  onEvent?(event: RunEvent): void;
};

/** `versionDigest` and `class`: of the run that would start. */
export type Confirmation = { tool: AgentTool; reason: string; args: JsonObject } & Pick<
  DryRun,
  "versionDigest" | "class"
>;

const NEVER = new AbortController().signal;

const TAIL_CHARS = 4096;
const TAIL_ROWS = 200;

/** Runs a skill as a tool. Returns early for a run that waits for approval or exceeds the wait; see `get_run`. */
export async function callSkillTool(
  ctx: Ctx,
  session: AgentSession,
  { tool, args }: { tool: AgentTool; args: unknown },
  options: CallOptions,
): Promise<ToolAnswer> {
  const { signal = NEVER, leave, onAbort = "leave", waitSeconds = 60, onStart, onEvent } = options;
  const given = JsonObject.safeParse(args ?? {});
  if (!given.success) throw new AppError("invalid", "The arguments must be an object.");
  const isConfirmed = tool.asksPerson && (await isConfirmedBy(ctx, { tool, args: given.data }, options.confirm));
  const from = performance.now();
  let stepId = "";
  const started = await startRun(
    ctx,
    tool.skillId ?? "",
    { args: given.data, wait: 0, ...(isConfirmed ? { confirm: true } : {}) },
    null,
    async (tx, txCtx, runId) => {
      const step = { sessionId: session.id, kind: "ran", tool: tool.name, skillId: tool.skillId, runId } as const;
      const id = isConfirmed ? options.confirmationId : undefined;
      stepId = await recordStep(tx, txCtx, { ...step, detail: `asked to run ${tool.title}` }, id);
    },
  );
  if ("dryRun" in started) throw new Error("startRun made a dry run instead of a run");
  onStart?.(started.run);
  const run =
    started.run.state === "awaiting_approval"
      ? started.run
      : await follow(ctx, started.run.id, {
          signal: leave ? AbortSignal.any([signal, leave]) : signal,
          waitSeconds,
          onEvent,
        });
  const isGoing = !FINAL_STATES.includes(run.state) && run.state !== "awaiting_approval";
  const last = isGoing && signal.aborted && onAbort === "cancel" ? await cancel(ctx, run) : run;
  await finishStep(ctx, stepId, last, performance.now() - from);
  return presentRun(ctx, last);
}

/** Asks for confirmation of the version that would run; if it changes meanwhile, the confirmation does not apply. */
async function isConfirmedBy(
  ctx: Ctx,
  { tool, args }: Pick<Confirmation, "tool" | "args">,
  confirm: CallOptions["confirm"],
): Promise<boolean> {
  if (confirm === undefined) return false;
  const before = await tryRun(ctx, tool, args);
  if (before.outcome !== "confirm") return false;
  if (
    !(await confirm({ tool, args, reason: before.reason, versionDigest: before.versionDigest, class: before.class }))
  ) {
    const message = `The person did not confirm the run of “${tool.title}”, so it was not started. Do not ask again yourself.`;
    throw new AppError("confirmation_required", message, { rule: before.rule });
  }
  const now = await tryRun(ctx, tool, args);
  if (now.versionDigest === before.versionDigest && now.class === before.class) return true;
  const message = `“${tool.title}” changed while the person was asked, so it was not started. Call it again.`;
  throw new AppError("conflict", message);
}

async function tryRun(ctx: Ctx, { skillId }: AgentTool, args: JsonObject): Promise<DryRun> {
  const tried = await startRun(ctx, skillId ?? "", { args, wait: 0, dryRun: true });
  if (!("dryRun" in tried)) throw new Error("startRun started a run instead of a dry run");
  return tried.dryRun;
}

type Following = { signal: AbortSignal; waitSeconds: number; onEvent: CallOptions["onEvent"] };

async function follow(ctx: Ctx, id: string, { signal, waitSeconds, onEvent }: Following): Promise<Run> {
  if (onEvent === undefined) return waitForRun(ctx, id, waitSeconds, signal);
  const until = AbortSignal.any([signal, AbortSignal.timeout(waitSeconds * 1000)]);
  for await (const item of streamEvents(ctx, id, 0, until)) {
    if (item.kind === "event") onEvent(item.event);
  }
  return getRun(ctx, id);
}

/** The run may have ended meanwhile; that is no error. */
async function cancel(ctx: Ctx, { id }: Run): Promise<Run> {
  try {
    return await cancelRun(ctx, id, "its client cancelled it");
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") return getRun(ctx, id);
    throw error;
  }
}

const FINISH_STEP = query(
  `UPDATE "AgentStep" SET "outcome" = ?, "versionDigest" = ?, "durationMs" = ?, "detail" = ? WHERE "id" = ?`,
);

async function finishStep(ctx: Ctx, stepId: string, run: Run, durationMs: number): Promise<void> {
  const isEnded = FINAL_STATES.includes(run.state);
  const outcome = isEnded && run.state !== "succeeded" ? "failed" : "ok";
  const detail = `${run.skill.name}: ${run.state === "awaiting_approval" ? "awaiting approval" : run.state}`;
  const values = [outcome, run.versionDigest, Math.round(durationMs), detail, stepId];
  await inQuickTransaction(ctx, (_tx, { database }) => database.writeSql.run(FINISH_STEP, ...values));
}

/** For a succeeded run the text is the skill's JSON only; at most 4 KiB of stderr is a note. */
export async function presentRun(ctx: Ctx, run: Run): Promise<ToolAnswer> {
  const { id, state, result, error, durationMs, approval } = run;
  const stderr = await readTail(ctx, id);
  const structured = {
    ...{ runId: id, skill: run.skill.name, versionDigest: run.versionDigest, class: run.class, state },
    ...{ result: result ?? null, error, stderr, durationMs },
    approval: state === "awaiting_approval" && approval ? approval : null,
    next: nextStep(run),
  };
  const notes = stderr === "" ? [] : [`stderr (its end):\n${stderr}`];
  if (state === "succeeded") return { content: JSON.stringify(result ?? null), notes, structured, isError: false };
  const isFailed = FINAL_STATES.includes(state);
  const why = error === null ? "" : ` ${error.message}`;
  const content = isFailed ? `The run ${state.replace("_", " ")}.${why}` : (nextStep(run) ?? `The run is ${state}.`);
  return { content, notes, structured, isError: isFailed };
}

function nextStep({ id, state, approval }: Run): string | null {
  const ask = `Call get_run with the id ${id}`;
  if (state === "awaiting_approval") {
    const until = approval ? ` until ${approval.expiresAt}` : "";
    return `It waits for people to approve it${until}: ${approval?.reason ?? "the policy requires it."} It then starts automatically; do not call it again. ${ask} to get its state.`;
  }
  return FINAL_STATES.includes(state) ? null : `It is still running. ${ask} to get its result.`;
}

async function readTail(ctx: Ctx, runId: string): Promise<string> {
  const rows = await ctx.db.runEvent.findMany({
    where: { runId, stream: "stderr" },
    orderBy: { seq: "desc" },
    take: TAIL_ROWS,
  });
  const text = rows
    .reverse()
    .map((row) => row.text)
    .join("\n");
  return text.length > TAIL_CHARS ? `…${text.slice(-TAIL_CHARS)}` : text;
}
