import { recordAgentRead } from "@/lib/audit/record-agent-read";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { getRun } from "@/lib/runner/get-run";
import type { GetRunInput } from "./machinery";
import { presentRun } from "./present-agent-run";
import type { ToolAnswer } from "./schema";

const MAX_EVENTS = 200;

/** A run that the caller asked for, with what it has said since; `not_found` for anybody else’s, also one they may see. */
export async function getRunForAgent(ctx: Ctx, { id, after }: GetRunInput): Promise<ToolAnswer> {
  const actor = requireScope(ctx.actor, "read");
  const run = await getRun(ctx, id);
  if (run.caller.id !== actor.userId) throw new AppError("not_found", `You asked for no run ${id.slice(0, 64)}.`);
  const rows = await ctx.db.runEvent.findMany({
    where: { runId: id, seq: { gt: after } },
    orderBy: { seq: "asc" },
    take: MAX_EVENTS,
  });
  const events = rows.map(({ seq, at, stream, text }) => ({ seq, at: at.toISOString(), stream, text }));
  const answer = await presentRun(ctx, run);
  // Counted, as an agent that waits asks again and again.
  await recordAgentRead(ctx, { path: `/api/runs/${run.id}`, query: "" });
  // Looking at a failed run has not failed.
  return { ...answer, structured: { ...answer.structured, events }, isError: false };
}
