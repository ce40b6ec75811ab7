import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { createCtx } from "@/lib/db/context";
import type { Database } from "@/lib/db/database";
import { ALLOWS_NOTHING, type Isolation, isIsolatedEnough } from "@/lib/policy/worker-allowance";
import { exchange } from "@/lib/runner/leases/exchange";
import type { ExchangeRequest, Lease, Outcome } from "@/lib/worker/protocol";

const SILENT: ExchangeRequest = { slots: 0, waitSeconds: 0, holding: [], events: [], completions: [] };

/** Stores a worker and exchanges messages as it, without a process. */
export async function testWorker(
  database: Database,
  options: { manager?: boolean; isolation?: Isolation; now?: () => Date } = {},
) {
  const id = newId();
  const name = `worker-${id}`;
  const manager = options.manager ?? true;
  const isolation = options.isolation ?? "sandbox";
  const offers = JSON.stringify({ allows: { ...ALLOWS_NOTHING, hidesHost: isIsolatedEnough(isolation, "dangerous") } });
  await database.writer.worker.create({
    data: { id, name, secretHash: id, manager, slots: 4, inventory: "[]", isolation, offers, createdAt: new Date() },
  });
  const ctx: Ctx = createCtx({
    actor: { kind: "worker", workerId: id, name, manager },
    database,
    ...(options.now ? { now: options.now } : {}),
  });
  const say = (request: Partial<ExchangeRequest>, signal = new AbortController().signal) =>
    exchange(ctx, { ...SILENT, ...request }, signal);
  return {
    id,
    ctx,
    say,
    lease: async (slots = 1): Promise<Lease[]> => (await say({ slots })).leases,
    complete: (lease: Lease, outcome: Partial<Outcome>) =>
      say({ completions: [{ runId: lease.runId, fence: lease.fence, outcome: { ...SUCCESS, ...outcome } }] }),
  };
}

const SUCCESS: Outcome = {
  result: { ok: true },
  error: null,
  exitCode: 0,
  signal: null,
  timedOut: false,
  truncated: false,
  startedAt: "2026-01-01T00:00:00.000Z",
  finishedAt: "2026-01-01T00:00:01.000Z",
  durationMs: 1000,
  rawOutput: null,
};
