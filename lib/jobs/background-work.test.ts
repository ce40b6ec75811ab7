import { expect, test } from "vitest";
import { logger } from "@/lib/core/logger";
import { type Ctx, createCtx } from "@/lib/db/context";
import { testDatabase } from "@/lib/testing/test-database";
import type { BackgroundJob } from "./job-table";
import { listJobs, requestJob } from "./list-jobs";
import { createJobMemory, holdLead, jobMemory, releaseLead, runDueJobs } from "./start-background-work";

logger.level = "silent";
const { database, person } = await testDatabase();
const admin = await person("admin");

function clock() {
  const time = { ms: Date.parse("2026-01-01T00:00:00Z") };
  const ctx: Ctx = createCtx({ actor: { kind: "system", name: "test" }, database, now: () => new Date(time.ms) });
  return { ctx, pass: (seconds: number) => (time.ms += seconds * 1000) };
}

function job(name: string, run: BackgroundJob["run"], everySeconds = 60): BackgroundJob {
  return { name, title: name, everySeconds, run };
}

const stateOf = (name: string) => database.reader.jobState.findUnique({ where: { name } });

test("one process leads until it stops renewing, or gives up", async () => {
  const { ctx, pass } = clock();
  expect(await holdLead(ctx, "a")).toBe(true);
  expect(await holdLead(ctx, "b")).toBe(false);
  pass(15);
  expect(await holdLead(ctx, "a")).toBe(true);
  pass(25);
  expect(await holdLead(ctx, "b")).toBe(false);
  pass(6);
  expect(await holdLead(ctx, "b")).toBe(true);
  expect(await holdLead(ctx, "a")).toBe(false);
  await releaseLead(ctx, "a");
  expect(await holdLead(ctx, "a")).toBe(false);
  await releaseLead(ctx, "b");
  expect(await holdLead(ctx, "a")).toBe(true);
});

test("of several processes that ask at once, one leads", async () => {
  const { ctx, pass } = clock();
  pass(3600);
  const answers = await Promise.all(["c", "d", "e", "f"].map((holder) => holdLead(ctx, holder)));
  expect(answers.filter(Boolean)).toHaveLength(1);
});

test("a job runs when it is due, also by a process that has just started, and its last run is kept", async () => {
  const { ctx, pass } = clock();
  let runs = 0;
  const counting = job("counting", async () => `${++runs} so far`);
  const memory = createJobMemory();
  await runDueJobs(ctx, [counting], memory);
  pass(30);
  await runDueJobs(ctx, [counting], memory);
  await runDueJobs(ctx, [counting], createJobMemory());
  expect(runs).toBe(1);
  pass(30);
  await runDueJobs(ctx, [counting], createJobMemory());
  expect(runs).toBe(2);
  expect(await stateOf("counting")).toMatchObject({ outcome: "ok", summary: "2 so far", startedAt: ctx.now() });
});

test("a job that fails says why, stops no other, and is tried again", async () => {
  const { ctx, pass } = clock();
  let isBroken = true;
  const failing = job("failing", async () => {
    if (isBroken) throw new Error("the disk is full");
    return "done";
  });
  const memory = createJobMemory();
  await runDueJobs(ctx, [failing, job("other", async () => "fine")], memory);
  expect(await stateOf("failing")).toMatchObject({ outcome: "failed", summary: "the disk is full" });
  expect(await stateOf("other")).toMatchObject({ outcome: "ok" });
  isBroken = false;
  pass(60);
  await runDueJobs(ctx, [failing], memory);
  expect(await stateOf("failing")).toMatchObject({ outcome: "ok", summary: "done" });
});

test("a job that is under way is not started again, asked for or not", async () => {
  const { ctx, pass } = clock();
  let begun = 0;
  let finish = () => {};
  const slow = job("slow", () => {
    begun += 1;
    return new Promise((resolve) => {
      finish = () => resolve("done");
    });
  });
  const memory = createJobMemory();
  const first = runDueJobs(ctx, [slow], memory);
  while (begun === 0) await new Promise((resolve) => setImmediate(resolve));
  pass(600);
  memory.asked.add("slow");
  await runDueJobs(ctx, [slow], memory);
  expect(begun).toBe(1);
  finish();
  await first;
  const second = runDueJobs(ctx, [slow], memory);
  while (begun === 1) await new Promise((resolve) => setImmediate(resolve));
  finish();
  await second;
  expect(memory.asked.size).toBe(0);
});

test("runs that find nothing to do are recorded once a minute, and when an admin requested one", async () => {
  const { ctx, pass } = clock();
  const idle = job("idle", async () => null, 2);
  const memory = createJobMemory();
  await runDueJobs(ctx, [idle], memory);
  const first = (await stateOf("idle"))?.startedAt;
  pass(10);
  await runDueJobs(ctx, [idle], memory);
  expect((await stateOf("idle"))?.startedAt).toEqual(first);
  memory.asked.add("idle");
  await runDueJobs(ctx, [idle], memory);
  expect((await stateOf("idle"))?.startedAt).toEqual(ctx.now());
});

test("an admin sees the jobs and asks for one, which is recorded; others do not", async () => {
  const list = await listJobs(admin.ctx);
  expect(list.items.map(({ name }) => name)).toEqual(expect.arrayContaining(["lost-runs", "run-expiry"]));
  await requestJob(admin.ctx, "run-expiry");
  expect(jobMemory().asked).toContain("run-expiry");
  expect(await database.reader.auditEvent.count({ where: { action: "job.run" } })).toBe(1);
  await expect(requestJob(admin.ctx, "no-such-job")).rejects.toMatchObject({ code: "not_found" });
  const reviewer = await person("reviewer");
  await expect(listJobs(reviewer.ctx)).rejects.toMatchObject({ code: "forbidden" });
  await expect(requestJob(reviewer.ctx, "run-expiry")).rejects.toMatchObject({ code: "forbidden" });
});

test("a clock that is set back stops neither the jobs nor who takes the lead over", async () => {
  const { ctx, pass } = clock();
  pass(24 * 3600);
  expect(await holdLead(ctx, "ahead")).toBe(true);
  let runs = 0;
  const quiet = job("quiet", async () => {
    runs += 1;
    return null;
  });
  const memory = createJobMemory();
  await runDueJobs(ctx, [quiet], memory);
  pass(-3600);
  expect(await holdLead(ctx, "next")).toBe(true);
  await runDueJobs(ctx, [quiet], memory);
  await runDueJobs(ctx, [quiet], createJobMemory());
  expect(runs).toBe(2);
  expect(await stateOf("quiet")).toMatchObject({ startedAt: ctx.now() });
});

test("what adds to the database and can wait does not run while space is short", async () => {
  const { ctx } = clock();
  const ran: string[] = [];
  const noting = (name: string) =>
    job(name, async () => {
      ran.push(name);
      return null;
    });
  process.env.SKILLGATE_MIN_FREE_MIB = String(2 ** 40);
  const jobs = [{ ...noting("grows"), takesSpace: true as const }, noting("tidies")];
  await runDueJobs(ctx, jobs, createJobMemory());
  expect(ran).toEqual(["tidies"]);
  process.env.SKILLGATE_MIN_FREE_MIB = "0";
  await runDueJobs(ctx, [{ ...noting("grows"), name: "grows later", takesSpace: true }], createJobMemory());
  delete process.env.SKILLGATE_MIN_FREE_MIB;
  expect(ran).toEqual(["tidies", "grows"]);
});
