import { AppError } from "@/lib/core/errors";
import { storeOf } from "@/lib/core/process-store";
import { listen } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { query } from "@/lib/db/sql";
import { requirePerson } from "@/lib/policy/require-scope";
import { FINAL_STATES, type RunEvent, RunState } from "@/lib/runner/schema";
import { maySeeRun } from "./load-runs";

const BATCH = 500;
const HEARTBEAT_MS = 15_000;

export type StreamItem = { kind: "event"; event: RunEvent } | { kind: "heartbeat" } | { kind: "end"; state: RunState };

/** Streams a run's events after a number; ends when the run has ended and all events were sent. */
export async function* streamEvents(
  ctx: Ctx,
  id: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamItem> {
  const actor = requirePerson(ctx.actor);
  const waiter = listen(`run:${id}`, signal);
  try {
    let last = after;
    while (!signal.aborted) {
      const { run, events } = await readTail(ctx, id, last);
      if (run === undefined || !maySeeRun(actor, run))
        throw new AppError("not_found", `There is no run ${id.slice(0, 64)} that you can see.`);
      for (const event of events) {
        yield { kind: "event", event };
        last = event.seq;
      }
      if (events.length === BATCH) continue;
      const state = RunState.parse(run.state);
      if (FINAL_STATES.includes(state)) {
        yield { kind: "end", state };
        return;
      }
      await waiter.next(HEARTBEAT_MS);
      yield { kind: "heartbeat" };
    }
  } finally {
    waiter.stop();
  }
}

type RunNow = { state: string; callerId: string; ownerOfSkill: string | null };
const RUN = query<RunNow>(
  `SELECT r."state", r."callerId", s."ownerId" AS "ownerOfSkill"
   FROM "Run" r JOIN "Skill" s ON s."id" = r."skillId" WHERE r."id" = ?`,
);
type EventRow = { seq: number; at: Date; stream: string; text: string };
const EVENTS = query<EventRow>(
  `SELECT "seq", "at", "stream", "text" FROM "RunEvent" WHERE "runId" = ? AND "seq" > ? ORDER BY "seq" LIMIT ${BATCH}`,
  { at: "date" },
);

type Tail = { run: RunNow | undefined; events: RunEvent[] };
type Reads = Map<string, Promise<Tail>>;

/**
 * The run's state and its events after a number. Streams that ask for the same in one turn of the event loop, as all do
 * that one change has woken, share a read. A read that has begun is not shared: it may miss the change that woke later
 * streams.
 */
function readTail(ctx: Ctx, id: string, after: number): Promise<Tail> {
  const reads = storeOf(ctx.database, "run-tails", (): Reads => new Map());
  const key = `${id} ${after}`;
  const known = reads.get(key);
  if (known !== undefined) return known;
  const reading = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
    reads.delete(key);
    const sql = ctx.database.readSql;
    // The state first, so that all events of an ended run are included.
    const run = await sql.get(RUN, id);
    const rows = run === undefined ? [] : await sql.all(EVENTS, id, after);
    const events = rows.map(({ seq, at, stream, text }): RunEvent => {
      return { seq, at: at.toISOString(), stream: stream === "system" ? "system" : "stderr", text };
    });
    return { run, events };
  });
  reads.set(key, reading);
  return reading;
}
