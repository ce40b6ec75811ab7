import { expect, test } from "vitest";
import { logger } from "@/lib/core/logger";
import { type Ctx, createCtx } from "@/lib/db/context";
import { failLostRuns } from "@/lib/runner/runs/fail-lost-runs";
import { getRun } from "@/lib/runner/runs/get-run";
import { startRun } from "@/lib/runner/runs/start-run";
import { createSchedule } from "@/lib/runner/schedules/edit-schedules";
import { CreateScheduleInput } from "@/lib/runner/schedules/schema";
import { startDueSchedules } from "@/lib/runner/schedules/start-due-schedules";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { checkClock, createJobMemory } from "./start-background-work";

logger.level = "silent";
const { person, database } = await testDatabase();
const user = await person();
const skill = await approvedSkill(user.ctx, (await person("reviewer")).ctx);
const HOUR = 3_600_000;

function clock() {
  const offset = { ms: 0 };
  const now = () => new Date(Date.now() + offset.ms);
  const ctx: Ctx = createCtx({ actor: { kind: "system", name: "test" }, database, now });
  return { ctx, offset, now };
}

async function runUnderWay(): Promise<string> {
  const started = await startRun(user.ctx, skill.id, { args: { text: "x" }, wait: 0 });
  const worker = await testWorker(database);
  if (!("run" in started) || (await worker.lease(100)).length === 0) throw new Error("nothing was leased");
  return started.run.id;
}

test.each([
  ["ahead", 24 * HOUR],
  ["back", -HOUR],
])("a run under way outlives a clock that jumps %s, and its worker stays online", async (_, jump) => {
  const runId = await runUnderWay();
  const { ctx, offset } = clock();
  const memory = createJobMemory();
  await checkClock(ctx, memory);
  offset.ms = jump;
  await checkClock(ctx, memory);
  expect(await failLostRuns(ctx)).toBe(0);
  const run = await database.reader.run.findUniqueOrThrow({ where: { id: runId }, include: { worker: true } });
  expect(run.state).toBe("running");
  for (const [at, from, to] of [
    [run.leaseUntil, 10_000, 16_000],
    [run.worker?.lastSeenAt, -6_000, 1_000],
  ] as const) {
    const away = (at?.getTime() ?? 0) - ctx.now().getTime();
    expect(away).toBeGreaterThan(from);
    expect(away).toBeLessThan(to);
  }
  offset.ms += 20_000;
  expect(await failLostRuns(ctx)).toBeGreaterThan(0);
  expect(await getRun(user.ctx, runId)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
});

test("a jump is recorded once, with how far, and time that goes by is none", async () => {
  const { ctx, offset } = clock();
  const memory = createJobMemory();
  const events = () => database.reader.auditEvent.count({ where: { action: "server.clock" } });
  const before = await events();
  await checkClock(ctx, memory);
  await checkClock(ctx, memory);
  expect(await events()).toBe(before);
  offset.ms = -HOUR;
  await checkClock(ctx, memory);
  await checkClock(ctx, memory);
  expect(await events()).toBe(before + 1);
  const last = await database.reader.auditEvent.findFirstOrThrow({
    where: { action: "server.clock" },
    orderBy: { seq: "desc" },
  });
  expect(last.summary).toMatch(/back by 3600 s/);
});

test("a schedule that was planned while the clock was ahead is due again, and no time of it twice", async () => {
  const { ctx, offset } = clock();
  const owner = await person();
  const { id } = await approvedSkill(owner.ctx, (await person("reviewer")).ctx, { name: "planned" });
  const schedule = await createSchedule(
    { ...owner.ctx, now: ctx.now },
    CreateScheduleInput.parse({ name: "each minute", skill: id, args: { text: "x" }, cron: "* * * * *" }),
  );
  const memory = createJobMemory();
  await checkClock(ctx, memory);
  const dueAt = Date.parse(schedule.nextAt ?? "");
  offset.ms = dueAt - Date.now() + 1_000;
  expect(await startDueSchedules(ctx)).toBe(1);
  offset.ms -= HOUR;
  await checkClock(ctx, memory);
  const { nextAt } = await database.reader.schedule.findUniqueOrThrow({ where: { id: schedule.id } });
  const away = (nextAt?.getTime() ?? 0) - ctx.now().getTime();
  expect(away).toBeGreaterThan(0);
  expect(away).toBeLessThanOrEqual(60_000);
  await database.writer.run.updateMany({ where: { scheduleId: schedule.id }, data: { state: "succeeded" } });
  await database.writer.schedule.update({ where: { id: schedule.id }, data: { nextAt: new Date(dueAt) } });
  offset.ms = dueAt - Date.now() + 1_000;
  expect(await startDueSchedules(ctx)).toBe(0);
});
