import { z } from "zod";
import { route } from "@/lib/http/route";
import { untilShutdown } from "@/lib/http/shutdown";
import { describeRefusedRun } from "@/lib/runner/describe-refused-run";
import { getRun, recoverRun, waitForRun } from "@/lib/runner/runs/get-run";
import { askForRun, startGroup } from "@/lib/runner/runs/start-run";
import { DryRun, Run, RunGroup, StartRunInput } from "@/lib/runner/schema";

/** Unvalidated, since the request is refused. */
function argsOf(json: unknown): { args: unknown; workerId?: unknown } {
  const body = z.object({ args: z.unknown(), workerId: z.unknown() }).partial().safeParse(json);
  return { args: body.data?.args, workerId: body.data?.workerId };
}

export const POST = route({
  access: "run",
  agents: "open",
  summary: "Run a skill; with `wait`, answers when it has ended or after these seconds; 202 while it awaits approval",
  params: z.object({ id: z.string() }),
  body: StartRunInput,
  answer: z.union([Run, RunGroup]),
  status: 201,
  also: {
    200: { description: "A dry run: the answer a run would get; starts nothing", answer: DryRun },
    202: { description: "The run awaits approval", answer: Run },
  },
  idempotent: true,
  describeRun: describeRefusedRun,
  asksForRun: ({ params, json }) => ({ idOrName: params.id, ...argsOf(json) }),
  recover: async ({ ctx, runId }) => {
    const found = await recoverRun(ctx, runId);
    const waitsForPeople = "state" in found && found.state === "awaiting_approval";
    return Response.json(found, { status: waitsForPeople ? 202 : 201 });
  },
  handle: async ({ ctx, params, body, request }) => {
    if (body.edges) return startGroup(ctx, params.id, body);
    const asked = await askForRun(ctx, params.id, body);
    if ("dryRun" in asked) return Response.json(asked.dryRun);
    const { runId, waitsForPeople } = asked;
    // Waiting for people would take too long; the answer says where to check.
    if (waitsForPeople) return Response.json(await getRun(ctx, runId), { status: 202 });
    if (body.wait === 0) return getRun(ctx, runId);
    return untilShutdown(request.signal, (signal) => waitForRun(ctx, runId, body.wait, signal));
  },
});
