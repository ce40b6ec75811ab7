import type { Ctx } from "@/lib/db/context";
import { FINAL_STATES, type Run } from "@/lib/runner/schema";
import type { ToolAnswer } from "./schema";

const TAIL_CHARS = 4096;
const TAIL_ROWS = 200;

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
