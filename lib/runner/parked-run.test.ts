import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "@/lib/core/errors";
import { type Ctx, createCtx } from "@/lib/db/context";
import { openDatabase } from "@/lib/db/open-database";
import { updateSettings } from "@/lib/settings/update-settings";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { decideRun } from "./approvals/decide-run";
import { cancelRun } from "./runs/cancel-runs";
import { expireRuns } from "./runs/end-run";
import { failLostRuns } from "./runs/fail-lost-runs";
import { startRun } from "./runs/start-run";
import { registerWorker } from "./workers/workers";

const { person, database, address } = await testDatabase();
const admin = await person("admin", "Ada");
const caller = await person("user", "Uma");
const people = {
  mara: await person("reviewer"),
  ben: await person("reviewer"),
  cara: await person("reviewer"),
  caller,
};
type Name = keyof typeof people;
const skills = {
  mutating: await approvedSkill(caller.ctx, people.mara.ctx, { name: "tidy", manifest: { class: "mutating" } }),
  dangerous: await approvedSkill(caller.ctx, people.mara.ctx, { name: "wipe", manifest: { class: "dangerous" } }),
};
await updateSettings(admin.ctx, { soloMode: false, agentRunsPerMinute: 10_000 });
const agent = await agentOf(admin.ctx, caller, { permissionMode: "dual-sign-required" });

type Step =
  | { do: "decide"; by: Name; approves: boolean }
  | { do: "decide-at-once"; by: [Name, Name] }
  | { do: "lease" }
  | { do: "wait"; hours: number }
  | { do: "sweep" | "cancel" | "restart" | "worker-restart" }
  | { do: "employ"; who: "mara" | "ben"; active: boolean };

const anyName = fc.constantFrom<Name[]>("mara", "ben", "cara", "caller");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("decide" as const), by: anyName, approves: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("decide" as const), by: anyName, approves: fc.constant(true) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("decide-at-once" as const), by: fc.tuple(anyName, anyName) }) },
  { weight: 4, arbitrary: fc.constant<Step>({ do: "lease" }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), hours: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 2, arbitrary: fc.constantFrom<Step[]>({ do: "sweep" }, { do: "restart" }, { do: "worker-restart" }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: "cancel" }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("employ" as const),
      who: fc.constantFrom("mara" as const, "ben" as const),
      active: fc.boolean(),
    }),
  },
);

/** Returns a parked run and the actions that can affect it, on connections that a restart replaces. */
async function parkedRun(kind: "mutating" | "dangerous") {
  for (const name of ["mara", "ben"] as const) await employ(name, true);
  const started = await startRun(agent.ctx, skills[kind].id, { args: { text: "x" }, wait: 0 });
  if (!("run" in started)) throw new Error("this was a dry run");
  const { id } = started.run;
  const clock = { now: Date.now() };
  const now = () => new Date(clock.now);
  const worker = await testWorker(database, { now });
  let connection = database;
  const as = (ctx: Ctx): Ctx => createCtx({ actor: ctx.actor, database: connection, now });
  const system = () => createCtx({ actor: { kind: "system", name: "test" }, database: connection, now });
  const seen = { leases: 0 };

  const apply = async (next: Step): Promise<void> => {
    if (next.do === "decide") await told(decideRun(as(people[next.by].ctx), id, decision(next.approves)));
    if (next.do === "decide-at-once") {
      await Promise.all(next.by.map((name) => told(decideRun(as(people[name].ctx), id, decision(true)))));
    }
    if (next.do === "lease") {
      const leases = (await worker.lease(10)).filter((lease) => lease.runId === id);
      if (leases.length > 0) await assertSigned(id, kind);
      seen.leases += leases.length;
    }
    if (next.do === "wait") clock.now += next.hours * 3_600_000;
    if (next.do === "sweep") {
      await expireRuns(system());
      await failLostRuns(system());
    }
    if (next.do === "cancel") await told(cancelRun(as(caller.ctx), id));
    if (next.do === "worker-restart") {
      const self = { name: "w", version: "1", platform: "linux", pid: 1, slots: 4, isolation: "sandbox" as const };
      await registerWorker(worker.ctx, { ...self, isolationFacts: [] });
    }
    if (next.do === "restart") {
      const former = connection;
      connection = await openDatabase(address);
      if (former !== database) await former.close();
    }
    if (next.do === "employ") await employ(next.who, next.active);
  };
  const close = async () => {
    await database.writer.run.updateMany({
      where: { id, state: { in: ["queued", "running"] } },
      data: { state: "failed" },
    });
    if (connection !== database) await connection.close();
  };
  return { id, apply, seen, close };
}

const decision = (approves: boolean) =>
  approves
    ? ({ decision: "approve", comment: "" } as const)
    : ({ decision: "reject", comment: "No, not this one." } as const);

async function employ(name: "mara" | "ben", active: boolean): Promise<void> {
  await database.writer.user.update({
    where: { id: people[name].id },
    data: { state: active ? "active" : "disabled" },
  });
}

/** Ignores refusals by policy or timing, which are expected; throws other errors. */
async function told(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code === "internal") throw error;
  });
}

/** Asserts from the tables alone that enough active people signed, and for a dangerous run none of its callers. */
async function assertSigned(id: string, kind: "mutating" | "dangerous"): Promise<void> {
  const decisions = await database.reader.runDecision.findMany({ where: { runId: id } });
  expect(decisions.filter((row) => row.decision === "reject")).toEqual([]);
  const signers = decisions.map((row) => row.actorId).filter((actorId) => kind === "mutating" || actorId !== caller.id);
  const active = await database.reader.user.count({ where: { id: { in: signers }, state: "active" } });
  expect(active).toBeGreaterThanOrEqual(kind === "dangerous" ? 2 : 1);
}

/** One sequence for each possible ending, so that each ending is tested at least once. */
const ENDINGS: ["mutating" | "dangerous", Step[]][] = [
  ["mutating", [{ do: "decide", by: "caller", approves: true }, { do: "lease" }]],
  ["dangerous", [{ do: "decide-at-once", by: ["mara", "ben"] }, { do: "restart" }, { do: "lease" }, { do: "lease" }]],
  ["dangerous", [{ do: "decide", by: "ben", approves: false }, { do: "lease" }]],
  ["mutating", [{ do: "wait", hours: 25 }, { do: "sweep" }, { do: "decide", by: "mara", approves: true }]],
  ["mutating", [{ do: "cancel" }, { do: "decide", by: "mara", approves: true }, { do: "lease" }]],
];

test("no combination of decisions, retries, expiries and restarts starts a parked run twice or without its signatures", async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("mutating" as const, "dangerous" as const),
      fc.array(step, { minLength: 1, maxLength: 12 }),
      async (kind, steps) => {
        const run = await parkedRun(kind);
        try {
          for (const next of steps) await run.apply(next);
          expect(run.seen.leases).toBeLessThanOrEqual(1);
          const starts = { runId: run.id, action: "run.start" };
          expect(await database.reader.auditEvent.count({ where: starts })).toBeLessThanOrEqual(1);
          const row = await database.reader.run.findUniqueOrThrow({ where: { id: run.id } });
          expect(row.args).toBe('{"text":"x"}');
          expect(row.fence).toBe(run.seen.leases);
          outcomes.add(row.state);
        } finally {
          await run.close();
        }
      },
    ),
    { numRuns: 120, examples: ENDINGS },
  );
  expect([...outcomes]).toEqual(expect.arrayContaining(["running", "rejected", "expired", "cancelled"]));
}, 120_000);
