import { expect, test } from "vitest";
import { decideVersion } from "@/lib/review/decide-version";
import { updateSettings } from "@/lib/settings/update-settings";
import { updateSkill } from "@/lib/skills/edit-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { cancelRun } from "./cancel-runs";
import { getRun, waitForRun } from "./get-run";
import { listRuns } from "./list-runs";
import { type StartedRun, startRun } from "./start-run";
import { streamEvents } from "./stream-events";

const { person, database } = await testDatabase();
const INPUT = { args: { text: "hello" }, wait: 0 };

function runOf(started: StartedRun) {
  if (!("run" in started)) throw new Error("this was a dry run");
  return started.run;
}

async function world(manifest: Record<string, unknown> = {}) {
  // A run that an earlier test left would be leased here.
  await database.writer.run.updateMany({ where: { state: "queued" }, data: { state: "expired" } });
  const user = await person();
  const reviewer = await person("reviewer");
  const skill = await approvedSkill(user.ctx, reviewer.ctx, { manifest });
  return { user, reviewer, skill, worker: await testWorker(database) };
}

test("a run is queued with frozen arguments, leased, and ends with the worker’s outcome", async () => {
  const { user, skill, worker } = await world({ env_allow: ["LANG"], timeout_seconds: 5 });
  const run = runOf(await startRun(user.ctx, skill.id, INPUT));
  expect(run).toMatchObject({ state: "queued", class: "safe", args: { text: "hello" }, timeoutMs: 5000 });
  const [lease] = await worker.lease();
  expect(lease).toMatchObject({ runId: run.id, fence: 1, entry: "run.sh", env: ["LANG"], versionDigest: skill.digest });
  if (!lease) throw new Error("no lease");
  await worker.complete(lease, { result: { text: "hello" } });
  expect(await getRun(user.ctx, run.id)).toMatchObject({ state: "succeeded", result: { text: "hello" }, exitCode: 0 });
  const events = await database.reader.auditEvent.findMany({ where: { runId: run.id }, orderBy: { seq: "asc" } });
  expect(events.map((event) => event.action)).toEqual(["run.start", "run.lease", "run.succeed"]);
});

test("arguments that do not fit the schema are refused with their place and nothing is queued", async () => {
  const { user, skill } = await world();
  const wrong = startRun(user.ctx, skill.id, { args: { text: 7 }, wait: 0 });
  await expect(wrong).rejects.toMatchObject({ code: "invalid", errors: [{ path: "args.text" }] });
  await expect(startRun(user.ctx, skill.id, { args: {}, wait: 0 })).rejects.toMatchObject({
    errors: [{ path: "args.text" }],
  });
  expect((await listRuns(user.ctx, { limit: 50, skill: skill.id })).items).toEqual([]);
});

test("a skill that is off, or whose version was revoked, does not run", async () => {
  const { user, reviewer, skill } = await world();
  await updateSkill(user.ctx, skill.id, { enabled: false });
  await expect(startRun(user.ctx, skill.id, INPUT)).rejects.toMatchObject({ code: "not_approved" });
  await updateSkill(user.ctx, skill.id, { enabled: true });
  await decideVersion(reviewer.ctx, skill.id, skill.digest, { decision: "revoke", comment: "" });
  await expect(startRun(user.ctx, skill.id, INPUT)).rejects.toMatchObject({ code: "not_approved" });
});

test("a run that was queued before its version was revoked never reaches a worker", async () => {
  const { user, reviewer, skill, worker } = await world();
  const run = runOf(await startRun(user.ctx, skill.id, INPUT));
  await decideVersion(reviewer.ctx, skill.id, skill.digest, { decision: "revoke", comment: "" });
  expect(await worker.lease()).toEqual([]);
  expect(await getRun(user.ctx, run.id)).toMatchObject({ state: "failed", error: { code: "not_approved" } });
});

test("a mutating skill needs the caller’s confirmation", async () => {
  const { user, skill } = await world({ class: "mutating" });
  await expect(startRun(user.ctx, skill.id, INPUT)).rejects.toMatchObject({ code: "confirmation_required" });
  expect(runOf(await startRun(user.ctx, skill.id, { ...INPUT, confirm: true })).state).toBe("queued");
});

test("a dangerous skill runs in solo mode with confirmation and waits for others without it", async () => {
  const admin = await person("admin");
  const { user, skill, worker } = await world({ class: "dangerous" });
  await expect(startRun(user.ctx, skill.id, INPUT)).rejects.toMatchObject({ code: "confirmation_required" });
  expect(runOf(await startRun(user.ctx, skill.id, { ...INPUT, confirm: true })).state).toBe("queued");
  await updateSettings(admin.ctx, { soloMode: false });
  const parked = runOf(await startRun(user.ctx, skill.id, { ...INPUT, confirm: true }));
  expect(parked).toMatchObject({ state: "awaiting_approval", approval: { needed: 2 } });
  // A run that was allowed in solo mode does not start after solo mode was switched off.
  expect(await worker.lease(4)).toEqual([]);
  await updateSettings(admin.ctx, { soloMode: true });
});

test("a dry run says what would happen and queues nothing", async () => {
  const { user, skill } = await world({ class: "mutating" });
  const admin = await person("admin");
  const dryRun = async (ctx = user.ctx, more = {}) => {
    const answer = await startRun(ctx, skill.id, { ...INPUT, dryRun: true, ...more });
    return "dryRun" in answer ? answer.dryRun : null;
  };
  expect(await dryRun()).toMatchObject({ ok: false, outcome: "confirm", rule: "mutating-needs-confirmation" });
  expect(await dryRun(user.ctx, { confirm: true })).toEqual({
    ok: true,
    outcome: "start",
    rule: "mutating-confirmed",
    reason: expect.stringContaining("echo_args"),
    signatures: 0,
    class: "mutating",
    versionDigest: skill.digest,
  });
  const confirming = await agentOf(admin.ctx, user, { permissionMode: "mutating-with-confirm" });
  expect(await dryRun(confirming.ctx)).toMatchObject({ ok: true, outcome: "park", signatures: 1 });
  const reading = await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  expect(await dryRun(reading.ctx)).toMatchObject({ ok: false, outcome: "refuse", rule: "persona-mode" });
  expect((await listRuns(user.ctx, { limit: 50, skill: skill.id })).items).toEqual([]);
});

test("what a persona does not name is refused, with the rule, and not parked", async () => {
  const { user, skill } = await world({ class: "mutating" });
  const admin = await person("admin");
  const reading = await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  await expect(startRun(reading.ctx, skill.id, { ...INPUT, confirm: true })).rejects.toMatchObject({
    code: "forbidden",
    rule: "persona-mode",
  });
  const elsewhere = await agentOf(admin.ctx, user, { permissionMode: "mutating-with-confirm", allow: ["csv-*"] });
  await expect(startRun(elsewhere.ctx, skill.id, INPUT)).rejects.toMatchObject({
    rule: "persona-allow",
  });
  expect(await database.reader.run.count({ where: { skillId: skill.id } })).toBe(0);
});

test("an agent may ask for so many runs in a minute and its person for more", async () => {
  const { user, skill } = await world();
  const admin = await person("admin");
  const agent = await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  await updateSettings(admin.ctx, { agentRunsPerMinute: 2, runsPerMinute: 4 });
  const ask = (ctx: typeof user.ctx) => startRun(ctx, skill.id, { ...INPUT, dryRun: true });
  await ask(agent.ctx);
  await ask(agent.ctx);
  const refused = await ask(agent.ctx).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "rate_limited", retryAfterSeconds: expect.any(Number) });
  await ask(user.ctx);
  await expect(ask(user.ctx)).rejects.toMatchObject({ code: "rate_limited" });
  await updateSettings(admin.ctx, { agentRunsPerMinute: 60, runsPerMinute: 12_000 });
});

test("what its author keeps from people runs for agents and as a step, and not for a person or their schedule", async () => {
  const { user, reviewer } = await world();
  const md = "---\nname: agents_only\ndescription: Gives back.\nuser-invocable: false\n---\n\n# How\n";
  const extra = [{ path: "SKILL.md", mode: "644" as const, bytes: new TextEncoder().encode(md) }];
  const { id } = await approvedSkill(user.ctx, reviewer.ctx, { name: "agents_only", extra });
  const asked = { args: { text: "x" }, wait: 0 };
  await expect(startRun(user.ctx, id, asked)).rejects.toMatchObject({
    code: "forbidden",
    rule: "user-invocation",
    message: expect.stringContaining("agents and pipelines run it"),
  });
  expect(await startRun(user.ctx, id, { ...asked, dryRun: true })).toMatchObject({
    dryRun: { ok: false, outcome: "refuse", rule: "user-invocation" },
  });
  const asSchedule = startRun(user.ctx, id, asked, { id: "s", name: "daily", confirmedSubject: null });
  await expect(asSchedule).rejects.toMatchObject({ rule: "user-invocation" });
  const agent = await agentOf((await person("admin")).ctx, user, { permissionMode: "read-only" });
  expect(runOf(await startRun(agent.ctx, id, asked)).state).toBe("queued");
  const toml =
    '[skill]\nname = "calls-it"\ndescription = "x"\n[[skill.steps]]\ntool_name = "agents_only"\narguments_template = "{\\"text\\": \\"{t}\\"}"\n';
  const files = [{ path: "skill.toml", mode: "644" as const, bytes: new TextEncoder().encode(toml) }];
  const [pipeline] = (await importSkills(user.ctx, { ...(await zipUpload("calls-it", files)), owner: "me" })).skills;
  const approve = { decision: "approve", comment: "" } as const;
  await decideVersion(reviewer.ctx, pipeline?.id ?? "", pipeline?.pendingVersion?.digest ?? "", approve);
  await updateSkill(user.ctx, pipeline?.id ?? "", { enabled: true });
  expect(runOf(await startRun(user.ctx, pipeline?.id ?? "", { args: { t: "x" }, wait: 0 })).state).toBe("running");
});

test("a worker that is not there is refused, and nothing is queued for it", async () => {
  const { user, skill } = await world();
  const ask = (workerId: string) => startRun(user.ctx, skill.id, { ...INPUT, workerId });
  await expect(ask("nobody")).rejects.toMatchObject({ code: "unknown_edge" });
  await expect(ask(skill.id)).rejects.toMatchObject({ code: "unknown_edge" });
  expect(await database.reader.run.count({ where: { skillId: skill.id } })).toBe(0);
});

test("a token without the scope run starts nothing, and a stranger sees neither skill nor run", async () => {
  const { user, skill } = await world();
  await expect(startRun(user.token(["read", "write"]), skill.id, INPUT)).rejects.toMatchObject({ code: "forbidden" });
  const run = runOf(await startRun(user.ctx, skill.id, INPUT));
  const stranger = await person();
  await expect(startRun(stranger.ctx, skill.id, INPUT)).rejects.toMatchObject({ code: "not_found" });
  await expect(getRun(stranger.ctx, run.id)).rejects.toMatchObject({ code: "not_found" });
});

test("a waiting caller gets the run when it has ended", async () => {
  const { user, skill, worker } = await world();
  const run = runOf(await startRun(user.ctx, skill.id, INPUT));
  const waiting = waitForRun(user.ctx, run.id, 20);
  const [lease] = await worker.lease();
  if (lease) await worker.complete(lease, {});
  expect((await waiting).state).toBe("succeeded");
});

test("a worker that waits gets a run as soon as it is queued", async () => {
  const { user, skill, worker } = await world();
  const waiting = worker.say({ slots: 1, waitSeconds: 20 });
  const run = runOf(await startRun(user.ctx, skill.id, INPUT));
  expect((await waiting).leases.map((lease) => lease.runId)).toEqual([run.id]);
});

test("a queued run is cancelled at once, a running one by its worker, an ended one not at all", async () => {
  const { user, skill, worker } = await world();
  const queued = runOf(await startRun(user.ctx, skill.id, INPUT));
  expect(await cancelRun(user.ctx, queued.id)).toMatchObject({ state: "cancelled" });
  expect(await worker.lease()).toEqual([]);
  await expect(cancelRun(user.ctx, queued.id)).rejects.toMatchObject({ code: "conflict" });
  const running = runOf(await startRun(user.ctx, skill.id, INPUT));
  const [lease] = await worker.lease();
  if (!lease) throw new Error("no lease");
  await cancelRun(user.ctx, running.id);
  const holding = [{ runId: lease.runId, fence: lease.fence }];
  expect((await worker.say({ holding })).cancel).toMatchObject(holding);
  await worker.complete(lease, { error: { code: "cancelled", message: "Cancelled." } });
  expect((await getRun(user.ctx, running.id)).state).toBe("cancelled");
});

test("the log streams what the worker says once each, resumes after a number and ends with the run", async () => {
  const { user, skill, worker } = await world();
  const run = runOf(await startRun(user.ctx, skill.id, INPUT));
  const [lease] = await worker.lease();
  if (!lease) throw new Error("no lease");
  const line = (seq: number) => ({
    seq,
    at: "2026-01-01T00:00:00.000Z",
    stream: "stderr" as const,
    text: `line ${seq}`,
  });
  const { runId, fence } = lease;
  await worker.say({ events: [{ runId, fence, items: [line(1), line(2)] }] });
  await worker.say({ events: [{ runId, fence, items: [line(2), line(3)] }] });
  await worker.complete(lease, {});
  const seen: unknown[] = [];
  for await (const item of streamEvents(user.ctx, run.id, 1, new AbortController().signal)) {
    if (item.kind === "event") seen.push(item.event.seq);
    if (item.kind === "end") seen.push(item.state);
  }
  expect(seen).toEqual([2, 3, "succeeded"]);
});
