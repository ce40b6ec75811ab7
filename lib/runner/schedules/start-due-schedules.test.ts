import { expect, test } from "vitest";
import { createToken, revokeToken } from "@/lib/auth/tokens/tokens";
import { logger } from "@/lib/core/logger";
import { type Ctx, createCtx } from "@/lib/db/context";
import { openDatabase } from "@/lib/db/open-database";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { createSchedule, updateSchedule } from "./edit-schedules";
import { deleteSchedule, getSchedule, listSchedules } from "./schedules";
import { CreateScheduleInput } from "./schema";
import { runSchedule, startDueSchedules } from "./start-due-schedules";

logger.level = "silent";
const { database, address, person } = await testDatabase();
// In the near future, because tokens expire; half a minute past a full hour.
const HOUR = 3_600_000;
const time = { ms: Math.ceil(Date.now() / HOUR) * HOUR + 30_000 };
const now = () => new Date(time.ms);
const pass = (minutes: number) => (time.ms += minutes * 60_000);
const system: Ctx = createCtx({ actor: { kind: "system", name: "test" }, database, now });
const clocked = (ctx: Ctx): Ctx => ({ ...ctx, now });

/** Returns a person with an approved skill, and removes the schedules of earlier tests. */
async function world(manifest: Record<string, unknown> = {}) {
  await database.writer.schedule.deleteMany();
  const user = await person();
  const reviewer = await person("reviewer");
  const skill = await approvedSkill(user.ctx, reviewer.ctx, { manifest });
  const ctx = clocked(user.ctx);
  const make = (more: Partial<CreateScheduleInput> = {}, as = ctx) => createSchedule(as, inputOf(skill.id, more));
  const runs = () => database.reader.run.findMany({ where: { skillId: skill.id }, orderBy: { id: "asc" } });
  const end = () => database.writer.run.updateMany({ where: { skillId: skill.id }, data: { state: "succeeded" } });
  return { user, reviewer, skill, ctx, make, runs, end };
}

function inputOf(skill: string, more: Partial<CreateScheduleInput>): CreateScheduleInput {
  return CreateScheduleInput.parse({ name: "hourly", skill, args: { text: "hi" }, cron: "0 * * * *", ...more });
}

test("a due schedule starts its skill once, as its owner, and comes again at its next time", async () => {
  const { ctx, make, runs, user } = await world();
  const { id, next } = await make();
  expect(next).toHaveLength(5);
  expect(await startDueSchedules(system)).toBe(0);
  pass(60);
  expect(await startDueSchedules(system)).toBe(1);
  expect(await startDueSchedules(system)).toBe(0);
  const [run, ...others] = await runs();
  expect(others).toEqual([]);
  expect(run).toMatchObject({ scheduleId: id, callerId: user.id, state: "queued", args: '{"text":"hi"}' });
  expect(await getSchedule(ctx, id)).toMatchObject({
    lastOutcome: "Started on time.",
    lastRun: { id: run?.id, state: "queued" },
    nextAt: next[1],
  });
});

test("several processes that find the same time due start one run", async () => {
  const { make, runs } = await world();
  await make();
  pass(60);
  const second = await openDatabase(address);
  const other = createCtx({ actor: { kind: "system", name: "other" }, database: second, now });
  const started = await Promise.all([startDueSchedules(system), startDueSchedules(other), startDueSchedules(system)]);
  await second.close();
  expect(started.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(await runs()).toHaveLength(1);
});

test("a time that was dealt with is not dealt with again when the schedule is set back", async () => {
  const { make, runs, end } = await world();
  const { id, nextAt } = await make();
  pass(60);
  await startDueSchedules(system);
  await end();
  await database.writer.schedule.update({ where: { id }, data: { nextAt } });
  expect(await startDueSchedules(system)).toBe(0);
  expect(await runs()).toHaveLength(1);
});

test("missed times are left out, or made up for by one run", async () => {
  const { ctx, make, runs } = await world();
  const left = await make();
  const made = await make({ name: "catching up", catchUp: true });
  pass(60 * 5 + 30);
  expect(await startDueSchedules(system)).toBe(1);
  expect(await startDueSchedules(system)).toBe(0);
  expect((await runs()).map((run) => run.scheduleId)).toEqual([made.id]);
  expect((await getSchedule(ctx, left.id)).lastOutcome).toContain("the server was not running");
  expect((await getSchedule(ctx, made.id)).lastOutcome).toContain("Started late");
  expect(Date.parse((await getSchedule(ctx, made.id)).nextAt ?? "")).toBeGreaterThan(time.ms);
  time.ms = Math.floor(time.ms / HOUR) * HOUR + 30_000;
});

test("a run that has not ended: the next is left out, waits for it, or takes its place", async () => {
  const { ctx, make, runs, end, skill } = await world();
  const skipping = await make();
  const queueing = await make({ name: "queue", overlap: "queue" });
  const cancelling = await make({ name: "cancel", overlap: "cancel_previous" });
  pass(60);
  expect(await startDueSchedules(system)).toBe(3);
  pass(60);
  expect(await startDueSchedules(system)).toBe(1);
  const states = async (scheduleId: string) =>
    (await runs()).filter((run) => run.scheduleId === scheduleId).map((run) => run.state);
  expect(await states(skipping.id)).toEqual(["queued"]);
  expect((await getSchedule(ctx, skipping.id)).lastOutcome).toContain("had not ended");
  expect(await states(cancelling.id)).toEqual(["cancelled", "queued"]);
  expect(await states(queueing.id)).toEqual(["queued"]);
  pass(60);
  await startDueSchedules(system);
  await database.writer.run.updateMany({
    where: { skillId: skill.id, scheduleId: queueing.id },
    data: { state: "succeeded" },
  });
  expect(await startDueSchedules(system)).toBe(1);
  expect(await states(queueing.id)).toEqual(["succeeded", "queued"]);
  await end();
  expect(await startDueSchedules(system)).toBe(0);
});

test("a skill that changes things is confirmed once, until its version changes", async () => {
  const { ctx, make, runs, end } = await world({ class: "mutating" });
  await expect(make()).rejects.toMatchObject({ code: "confirmation_required" });
  const { id, needsConfirmation } = await make({ confirm: true });
  expect(needsConfirmation).toBe(false);
  for (const times of [1, 2]) {
    pass(60);
    expect(await startDueSchedules(system)).toBe(1);
    await end();
    expect(await runs()).toHaveLength(times);
  }
  await database.writer.schedule.update({ where: { id }, data: { confirmedSubject: "of the version before" } });
  expect((await getSchedule(ctx, id)).needsConfirmation).toBe(true);
  pass(60);
  expect(await startDueSchedules(system)).toBe(0);
  expect(await getSchedule(ctx, id)).toMatchObject({
    enabled: true,
    lastOutcome: expect.stringContaining("confirmation"),
  });
  await expect(runSchedule(ctx, id)).rejects.toMatchObject({ code: "confirmation_required" });
  await updateSchedule(ctx, id, { confirm: true });
  pass(60);
  expect(await startDueSchedules(system)).toBe(1);
});

test("other arguments have to be confirmed anew", async () => {
  const { ctx, make } = await world({ class: "mutating" });
  const { id } = await make({ confirm: true });
  await expect(updateSchedule(ctx, id, { args: { text: "other" } })).rejects.toMatchObject({
    code: "confirmation_required",
  });
  expect((await updateSchedule(ctx, id, { name: "renamed" })).needsConfirmation).toBe(false);
  const changed = await updateSchedule(ctx, id, { args: { text: "other" }, confirm: true });
  expect(changed).toMatchObject({ name: "renamed", args: { text: "other" }, needsConfirmation: false });
});

test("what is dangerous waits for signatures each time, in solo mode too", async () => {
  const { ctx, make, runs, end } = await world({ class: "dangerous" });
  const { id } = await make({ confirm: true });
  for (const times of [1, 2]) {
    pass(60);
    expect(await startDueSchedules(system)).toBe(1);
    expect((await runs()).at(-1)).toMatchObject({ state: "awaiting_approval", signatures: 1 });
    await end();
    expect(await runs()).toHaveLength(times);
  }
  expect((await getSchedule(ctx, id)).lastOutcome).toBe("Waits for approval.");
});

test("a schedule stops, with the reason, when its owner is disabled or its token is gone", async () => {
  const { ctx, make, runs, end, user } = await world();
  const token = await createToken(user.ctx, { name: "nightly", scopes: ["read", "run"] });
  const byToken: Ctx = {
    ...ctx,
    actor: { ...user.actor, kind: "token", tokenId: token.id, tokenName: "nightly", scopes: ["run"], personaId: null },
  };
  const ofToken = await make({ name: "by token" }, byToken);
  pass(60);
  expect(await startDueSchedules(system)).toBe(1);
  expect(await runs()).toEqual([expect.objectContaining({ tokenId: token.id })]);
  await end();
  await revokeToken(user.ctx, token.id);
  pass(60);
  expect(await startDueSchedules(system)).toBe(0);
  expect(await getSchedule(ctx, ofToken.id)).toMatchObject({ enabled: false, nextAt: null, next: [] });
  const ofPerson = await make({ name: "by person" });
  await database.writer.user.update({ where: { id: user.id }, data: { state: "disabled" } });
  pass(60);
  expect(await startDueSchedules(system)).toBe(0);
  expect((await getSchedule(ctx, ofPerson.id)).stopReason).toContain("no longer active");
  expect(await runs()).toHaveLength(1);
  const events = await database.reader.auditEvent.findMany({ where: { action: "schedule.stop" } });
  expect(events.map((event) => event.targetId).sort()).toEqual([ofToken.id, ofPerson.id].sort());
});

test("a version that was taken away keeps the schedule on, and says why nothing starts", async () => {
  const { ctx, make, skill } = await world();
  const { id } = await make();
  await database.writer.skill.update({ where: { id: skill.id }, data: { enabled: false } });
  pass(60);
  expect(await startDueSchedules(system)).toBe(0);
  expect(await getSchedule(ctx, id)).toMatchObject({
    enabled: true,
    lastOutcome: expect.stringContaining("switched off"),
  });
});

test("an agent has its own schedules alone, and what it may not confirm waits for a person", async () => {
  const { ctx, make, user, runs } = await world({ class: "mutating" });
  const admin = await person("admin");
  const agent = await agentOf(admin.ctx, user, { permissionMode: "mutating-with-confirm", now });
  const own = await make({ name: "of the agent" }, agent.ctx);
  const ofPerson = await make({ name: "of the person", confirm: true });
  expect((await listSchedules(agent.ctx, { limit: 50 })).items.map(({ id }) => id)).toEqual([own.id]);
  await expect(updateSchedule(agent.ctx, ofPerson.id, { name: "taken" })).rejects.toMatchObject({ code: "not_found" });
  await updateSchedule(ctx, ofPerson.id, { enabled: false });
  pass(60);
  await startDueSchedules(system);
  expect(await runs()).toEqual([expect.objectContaining({ scheduleId: own.id, state: "awaiting_approval" })]);
});

test("others do not see it; an admin pauses and deletes it, and changes nothing else", async () => {
  const { ctx, make, runs } = await world();
  const { id } = await make();
  const stranger = await person();
  await expect(getSchedule(stranger.ctx, id)).rejects.toMatchObject({ code: "not_found" });
  const admin = clocked((await person("admin")).ctx);
  await expect(updateSchedule(admin, id, { cron: "* * * * *" })).rejects.toMatchObject({ code: "forbidden" });
  await expect(runSchedule(admin, id)).rejects.toMatchObject({ code: "forbidden" });
  expect(await updateSchedule(admin, id, { enabled: false })).toMatchObject({ enabled: false, nextAt: null });
  pass(60);
  expect(await startDueSchedules(system)).toBe(0);
  expect((await updateSchedule(ctx, id, { enabled: true })).nextAt).not.toBeNull();
  expect(await runSchedule(ctx, id)).toMatchObject({ scheduleId: id, state: "queued" });
  await deleteSchedule(admin, id);
  await expect(getSchedule(ctx, id)).rejects.toMatchObject({ code: "not_found" });
  expect(await runs()).toHaveLength(1);
});

test("what cannot run is refused when it is made, with the place", async () => {
  const { make } = await world();
  await expect(make({ cron: "0 25 * * *" })).rejects.toMatchObject({ errors: [{ path: "cron" }] });
  await expect(make({ args: { text: 7 } })).rejects.toMatchObject({ errors: [{ path: "args.text" }] });
  await expect(make({ workerId: "nobody" })).rejects.toMatchObject({ code: "unknown_edge" });
});

test("schedules are listed in pages, newest first", async () => {
  const { ctx, make } = await world();
  const made = [await make({ name: "a" }), await make({ name: "b" }), await make({ name: "c" })];
  const first = await listSchedules(ctx, { limit: 2 });
  const second = await listSchedules(ctx, { limit: 2, cursor: first.nextCursor ?? "" });
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse());
  expect(second.nextCursor).toBeNull();
});
