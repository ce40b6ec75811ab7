import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inQuickTransaction } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import { query } from "@/lib/db/sql";
import type { ToolQuestion } from "@/lib/policy/tool-limit/decide-tool";
import { cancelRun } from "@/lib/runner/runs/cancel-runs";
import { getRun, waitForRun } from "@/lib/runner/runs/get-run";
import { startRun } from "@/lib/runner/runs/start-run";
import { streamEvents } from "@/lib/runner/runs/stream-events";
import { type DryRun, FINAL_STATES, type Run, type RunEvent } from "@/lib/runner/schema";
import { JsonObject } from "@/lib/skill-format/schema";
import { presentRun } from "./present-agent-run";
import type { AgentTool, ToolAnswer } from "./schema";
import { recordStep } from "./sessions/record-step";

export type CallOptions = {
  /** A list that holds beside that of the session, and that no playbook replaces. */
  within?: Pick<ToolQuestion, "limit" | "denied"> | null;
  /** Nobody waits any more. */
  signal?: AbortSignal;
  /** What becomes of the run then; it goes on when left out. */
  onAbort?: "leave" | "cancel";
  /** The longest to wait for the result; 60 when left out. */
  waitSeconds?: number;
  /** Whether a person can be asked where the agent calls; true when left out. What needs it is not offered otherwise. */
  canConfirm?: boolean;
  /** Asks the person whose token it is to confirm a run that their policy lets start only then; true when they did. */
  confirm?(question: Confirmation): Promise<boolean>;
  onStart?(run: Run): void;
  /** Each line of the run's log as it comes. */
  onEvent?(event: RunEvent): void;
};

export type Confirmation = { tool: AgentTool; reason: string; args: JsonObject };

const NEVER = new AbortController().signal;

/**
 * Runs a skill that is called as a tool and waits for its result. One that waits for people is answered at once, and one that
 * takes longer when the time is over; `get_run` tells of both. Everything that stands before a run stands here too.
 */
export async function callSkillTool(
  ctx: Ctx,
  session: AgentSession,
  { tool, args }: { tool: AgentTool; args: unknown },
  options: CallOptions,
): Promise<ToolAnswer> {
  const { signal = NEVER, onAbort = "leave", waitSeconds = 60, onStart, onEvent } = options;
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
      stepId = await recordStep(tx, txCtx, { ...step, detail: `asked for a run of ${tool.title}` });
    },
  );
  if ("dryRun" in started) throw new Error("a run was only tried");
  onStart?.(started.run);
  const run =
    started.run.state === "awaiting_approval"
      ? started.run
      : await follow(ctx, started.run.id, { signal, waitSeconds, onEvent });
  const isGoing = !FINAL_STATES.includes(run.state) && run.state !== "awaiting_approval";
  const last = isGoing && signal.aborted && onAbort === "cancel" ? await cancel(ctx, run) : run;
  await finishStep(ctx, stepId, last, performance.now() - from);
  return presentRun(ctx, last);
}

/** Asks for the confirmation of what would start now; what changed while the person thought about it is not confirmed. */
async function isConfirmedBy(
  ctx: Ctx,
  { tool, args }: Omit<Confirmation, "reason">,
  confirm: CallOptions["confirm"],
): Promise<boolean> {
  if (confirm === undefined) return false;
  const before = await tryRun(ctx, tool, args);
  if (before.outcome !== "confirm") return false;
  if (!(await confirm({ tool, args, reason: before.reason }))) {
    const message = `The person did not confirm the run of “${tool.title}”; nothing was started. Do not ask again by yourself.`;
    throw new AppError("confirmation_required", message, { rule: before.rule });
  }
  const now = await tryRun(ctx, tool, args);
  if (now.versionDigest === before.versionDigest && now.class === before.class) return true;
  const message = `“${tool.title}” changed while the person was asked, so nothing was started. Call it again.`;
  throw new AppError("conflict", message);
}

async function tryRun(ctx: Ctx, { skillId }: AgentTool, args: JsonObject): Promise<DryRun> {
  const tried = await startRun(ctx, skillId ?? "", { args, wait: 0, dryRun: true });
  if (!("dryRun" in tried)) throw new Error("a dry run was started");
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

/** It may have ended meanwhile, which is no mistake. */
async function cancel(ctx: Ctx, { id }: Run): Promise<Run> {
  try {
    return await cancelRun(ctx, id, "its client called it off");
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
  const detail = `${run.skill.name}: ${run.state === "awaiting_approval" ? "waits for people" : run.state}`;
  const values = [outcome, run.versionDigest, Math.round(durationMs), detail, stepId];
  await inQuickTransaction(ctx, (_tx, { database }) => database.writeSql.run(FINISH_STEP, ...values));
}
