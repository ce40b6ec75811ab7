import { LRUCache } from "lru-cache";
import { parseJsonColumn } from "@/lib/core/json";
import { processStore } from "@/lib/core/process-store";
import { createRedactor, type Redactor } from "@/lib/core/redact/create-redactor";
import type { Ctx } from "@/lib/db/context";
import { Grants } from "@/lib/policy/grants/schema";
import type { ExchangeRequest, LeaseSecret, Outcome } from "@/lib/worker/protocol";
import { openSecrets } from "./open-secrets";

const REMEMBERED = 5_000;

/** What must not be stored of each run under way; false for runs without a credential. */
function redactors(): LRUCache<string, Redactor | false> {
  return processStore("run-redactors", () => new LRUCache({ max: REMEMBERED }));
}

/** Keeps how to recognise the values that a run got, in memory, until it has ended. */
export function rememberSecrets(runId: string, secrets: LeaseSecret[]): void {
  redactors().set(runId, createRedactor(secrets) ?? false);
}

/**
 * A worker's report without the credentials its runs got. The worker has taken them out already, across line ends too;
 * this is for one that has not. After a restart of the server it looks for the values that are stored now.
 */
export async function redactReport(ctx: Ctx, request: ExchangeRequest): Promise<ExchangeRequest> {
  const ids = [...new Set([...request.events, ...request.completions].map(({ runId }) => runId))];
  if (ids.length === 0) return request;
  await learn(ctx, ids);
  const known = redactors();
  if (ids.every((id) => !known.get(id))) {
    forget(request);
    return request;
  }
  const redacted = {
    ...request,
    events: request.events.map((entry) => {
      const redactor = known.get(entry.runId);
      if (!redactor) return entry;
      return { ...entry, items: entry.items.map((item) => ({ ...item, text: redactor.text(item.text) })) };
    }),
    completions: request.completions.map((entry) => {
      const redactor = known.get(entry.runId);
      return redactor ? { ...entry, outcome: redactOutcome(entry.outcome, redactor) } : entry;
    }),
  };
  forget(request);
  return redacted;
}

function forget({ completions }: ExchangeRequest): void {
  for (const { runId } of completions) redactors().delete(runId);
}

function redactOutcome(outcome: Outcome, redactor: Redactor): Outcome {
  const { error, rawOutput } = outcome;
  return {
    ...outcome,
    ...("result" in outcome ? { result: redactor.value(outcome.result) } : {}),
    error: error && { ...error, message: redactor.text(error.message) },
    rawOutput: rawOutput === null ? null : redactor.text(rawOutput),
  };
}

/** Looks up the runs that this process did not hand out itself. */
async function learn(ctx: Ctx, ids: string[]): Promise<void> {
  const unknown = ids.filter((id) => !redactors().has(id));
  if (unknown.length === 0) return;
  const select = { id: true, version: { select: { grants: true } } };
  const rows = await ctx.db.run.findMany({ where: { id: { in: unknown } }, select });
  for (const { id, version } of rows) {
    const { secrets } = await openSecrets(ctx.db, ctx, parseJsonColumn(Grants, version.grants ?? "{}"));
    rememberSecrets(id, secrets);
  }
}
