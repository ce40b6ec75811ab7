import { setImmediate as nextTurn } from "node:timers/promises";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import { loadSigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { readChains, readEvents, readSettled } from "./chain/chain-events";
import { chainKeyOf } from "./chain/chain-key";
import { readHeads } from "./chain/heads";
import type { AuditVerification } from "./chain/schema";
import { readSegments, type SegmentRow, verifyChain } from "./chain/verify-chain";
import { recordEvent } from "./record-event";
import { findSegment, readManifest, sealedCount } from "./segments";

const MAX_WAIT_MS = 10_000;

type RunningVerification = { answer: AuditVerification; clock: number; done: Promise<void>; isReported: boolean };

/** One verification at a time, shared by callers. Returns after at most ten seconds; call again to keep waiting. */
export async function verifyAudit(ctx: Ctx): Promise<AuditVerification> {
  requireScope(ctx.actor, "review");
  const all = processStore("audit-verifications", () => new WeakMap<object, RunningVerification>());
  let current = all.get(ctx.database);
  if (current === undefined || (current.answer.state === "done" && current.isReported)) {
    current = begin(ctx);
    all.set(ctx.database, current);
    current.done.catch(() => all.delete(ctx.database));
  }
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS);
  });
  await Promise.race([current.done, timeout]).finally(() => clearTimeout(timer));
  if (current.answer.state === "done") current.isReported = true;
  else current.answer.durationMs = Math.round(performance.now() - current.clock);
  return current.answer;
}

function begin(ctx: Ctx): RunningVerification {
  const clock = performance.now();
  const answer: AuditVerification = {
    ...{ state: "running", ok: null, checked: 0, total: 0, startedAt: ctx.now().toISOString(), durationMs: 0 },
    ...{ firstBroken: null, head: null, unsigned: 0, chainedLater: 0, segments: { present: 0, absent: [] } },
  };
  const current: RunningVerification = { answer, clock, done: Promise.resolve(), isReported: false };
  current.done = verify(ctx, answer).then(() => {
    answer.durationMs = Math.round(performance.now() - clock);
    answer.state = "done";
  });
  return current;
}

async function verify(ctx: Ctx, answer: AuditVerification): Promise<void> {
  const { database } = ctx;
  const { keyFolder: folder, readSql: sql } = database;
  const [key, signer] = [await chainKeyOf(database), await loadSigningKey(folder)];
  // Heads and segments are read before the newest event, so events that arrive meanwhile are ignored. All before that
  // one are visible: a chain without one of its events would look cut.
  const heads = await readHeads(folder, signer);
  const segments = await readSegments(sql);
  const until = await readSettled(ctx);
  const chains = await readChains(sql);
  answer.total = chains.reduce((sum, { place }) => sum + place, 0) - absentCount(segments, folder, signer);
  const result = await verifyChain({
    ...{ key, signer, heads, segments, folder },
    events: readEvents(sql, { after: Number.MIN_SAFE_INTEGER, until }),
    onProgress: (checked) => {
      answer.checked = checked;
      return nextTurn();
    },
  });
  const { last, ...found } = result;
  Object.assign(answer, { ...found, ok: found.firstBroken === null });
  const record = inTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, {
      action: "audit.verify",
      outcome: answer.ok ? "ok" : "failed",
      summary: answer.ok
        ? `verified the audit log: all ${found.checked} events are valid`
        : `verified the audit log and found a problem: ${found.firstBroken?.message}`,
      data: { checked: found.checked, last, firstBroken: found.firstBroken, absent: found.segments.absent },
    }),
  );
  // With a broken end no event can be added; the result is reported anyway.
  await record.catch((err: unknown) => logger.error({ err }, "a verification of the audit log could not be recorded"));
}

function absentCount(segments: SegmentRow[], folder: string, signer: Parameters<typeof readManifest>[1]): number {
  return segments.reduce((sum, { manifest }) => {
    const read = readManifest(manifest, signer);
    return read === null || findSegment(folder, read) !== null ? sum : sum + sealedCount(read);
  }, 0);
}
