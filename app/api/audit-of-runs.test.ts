import { expect, test } from "vitest";
import { callTool } from "@/lib/agent/call-tool";
import { openAgentSession } from "@/lib/agent/sessions/open-agent-session";
import { listEvents } from "@/lib/audit/list-events";
import { digestArguments } from "@/lib/audit/record-run-event";
import { ListAuditQuery } from "@/lib/audit/schema";
import { verifyAudit } from "@/lib/audit/verify-audit";
import { createToken } from "@/lib/auth/tokens/tokens";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { canonicalJson } from "@/lib/core/json";
import { type Ctx, createCtx } from "@/lib/db/context";
import { decideRun } from "@/lib/runner/approvals/decide-run";
import { cancelRun } from "@/lib/runner/runs/cancel-runs";
import { failLostRuns } from "@/lib/runner/runs/fail-lost-runs";
import { startRun } from "@/lib/runner/runs/start-run";
import { createSchedule } from "@/lib/runner/schedules/edit-schedules";
import { CreateScheduleInput } from "@/lib/runner/schedules/schema";
import { startDueSchedules } from "@/lib/runner/schedules/start-due-schedules";
import { updateSkill } from "@/lib/skills/edit-skills";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testServer } from "@/lib/testing/test-server";
import { testWorker } from "@/lib/testing/test-worker";
import * as runsRoute from "./skills/[id]/runs/route";

const { database, call } = await testServer([["/api/skills/[id]/runs", runsRoute]]);
const schema = {
  type: "object",
  properties: { text: { type: "string" }, pin: { type: "string", writeOnly: true } },
  required: ["text"],
};
const args = { text: "hello", pin: "4711" };
const system = createCtx({ actor: { kind: "system", name: "test" }, database });

async function person(role: "user" | "admin" = "user") {
  const id = newId();
  const at = new Date();
  const email = `${id}@example.test`;
  await database.writer.user.create({
    data: { id, email, name: `Test ${role}`, role, state: "active", createdAt: at, updatedAt: at },
  });
  const ctx = createCtx({
    actor: { kind: "user", userId: id, name: `Test ${role}`, email, role, sessionId: newId() },
    database,
  });
  return { id, ctx };
}

const admin = await person("admin");

async function world(name: string, manifest: Record<string, unknown> = {}) {
  const user = await person();
  const skill = await approvedSkill(user.ctx, admin.ctx, { name, manifest: { schema, ...manifest } });
  const { toolName: tool } = await database.reader.skill.findUniqueOrThrow({ where: { id: skill.id } });
  const worker = await testWorker(database);
  const find = async (query: object) =>
    (await listEvents(admin.ctx, ListAuditQuery.parse({ limit: 100, ...query }))).items.reverse();
  const start = async (ctx: Ctx) => {
    const started = await startRun(ctx, skill.id, { args, wait: 0, confirm: true });
    if (!("run" in started)) throw new Error("a dry run");
    return started.run.id;
  };
  const digested = { callerId: user.id, skill: skill.id };
  const argumentsDigest = await digestArguments(database, sha256Hex(canonicalJson(args)), digested);
  return { user, skill, tool, worker, find, start, argumentsDigest };
}

function sessionOf({ actor }: Ctx): string {
  if (actor.kind !== "user") throw new Error("not a person with a session");
  return actor.sessionId;
}

test("each event of a run has skill, tool, class, role, session, device and the digest of its arguments", async () => {
  const { user, skill, tool, worker, find, start, argumentsDigest } = await world("told_whole");
  const id = await start(user.ctx);
  const [lease] = await worker.lease();
  if (!lease) throw new Error("no lease");
  await worker.complete(lease, { result: 1 });
  const facts = {
    ...{ skillId: skill.id, versionDigest: skill.digest, tool, class: "safe", role: "user", argumentsDigest },
    ...{ sessionId: sessionOf(user.ctx), runId: id },
  };
  const device = expect.stringContaining("worker-");
  const expected = [
    { ...facts, action: "run.start", actor: { kind: "user", role: "user" }, device: null },
    { ...facts, action: "run.lease", actor: { kind: "worker" }, device },
    { ...facts, action: "run.succeed", actor: { kind: "worker" }, device },
  ];
  expect(await find({ run: id })).toMatchObject(expected);
  expect(await find({ session: sessionOf(user.ctx), action: "run" })).toMatchObject(expected);
  expect(await find({ tool, action: "run" })).toMatchObject(expected);
  expect(await verifyAudit(admin.ctx)).toMatchObject({ ok: true });
});

test("the digest in the audit log is keyed: it is not the plain one of guessable arguments", async () => {
  const { user, find, start } = await world("told_keyed");
  const id = await start(user.ctx);
  const events = JSON.stringify(await find({ run: id }));
  expect(events).not.toContain(sha256Hex(canonicalJson(args)));
  expect(events).not.toContain("4711");
  await cancelRun(user.ctx, id);
});

test("the digest tells nothing to who guesses: it compares with runs of the same caller and skill alone", async () => {
  const { user, skill, tool, find, start } = await world("told_guessed");
  const other = await approvedSkill(user.ctx, admin.ctx, { name: "told_other", manifest: { schema } });
  const digestOf = async (run: string) => (await find({ run }))[0]?.argumentsDigest;
  const runs = [await start(user.ctx), await start(user.ctx)];
  const [digest, again] = await Promise.all(runs.map(digestOf));
  for (const id of runs) await cancelRun(user.ctx, id);
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(again).toBe(digest);
  const guesser = await person();
  const guess = async ({ ctx }: typeof guesser, asked: string) => {
    const { token } = await createToken(ctx, { name: newId(), scopes: ["read"] });
    expect((await call("POST", `/api/skills/${asked}/runs`, { token, json: { args } })).status).toBe(403);
    const { items } = await listEvents(ctx, ListAuditQuery.parse({ limit: 1, action: "request.refuse" }));
    expect(items[0]?.argumentsDigest).toMatch(/^[0-9a-f]{64}$/);
    return items[0]?.argumentsDigest;
  };
  expect(await guess(user, skill.id)).toBe(digest);
  expect(await guess(user, "no_such_skill")).not.toBe(digest);
  expect(await guess(user, other.id)).not.toBe(digest);
  for (const asked of [skill.id, tool, "no_such_skill"]) expect(await guess(guesser, asked)).not.toBe(digest);
});

test("who decides on a run is found by the session of its caller and by their own", async () => {
  const { user, tool, worker, find, argumentsDigest } = await world("told_signed", { class: "mutating" });
  const agent = await agentOf(admin.ctx, user, { permissionMode: "mutating-with-confirm" });
  const session = await openAgentSession(agent.ctx, { client: "test/1" });
  await callTool(agent.ctx, session, tool, args);
  const [asked] = await find({ session: session.id, action: "run.request" });
  const id = asked?.runId ?? "";
  await decideRun(user.ctx, id, { decision: "approve", comment: "" });
  const [lease] = await worker.lease();
  await database.writer.run.update({ where: { id }, data: { leaseUntil: new Date(0) } });
  await failLostRuns(system);
  expect(lease?.runId).toBe(id);
  const all = await find({ session: session.id, action: "run" });
  expect(all.map(({ action }) => action)).toEqual(["run.request", "run.approve", "run.start", "run.lease", "run.fail"]);
  for (const event of all) {
    expect(event).toMatchObject({ tool, class: "mutating", role: "user", argumentsDigest, sessionId: session.id });
  }
  expect((await find({ session: sessionOf(user.ctx), run: id })).map(({ action }) => action)).toEqual([
    "run.approve",
    "run.start",
  ]);
});

test("a run that is refused over HTTP, by its rights or by a policy, is in its tool’s timeline", async () => {
  const { user, skill, tool, find, argumentsDigest } = await world("told_refused", { class: "mutating" });
  const facts = { action: "request.refuse", skillId: skill.id, tool, role: "user", argumentsDigest };
  const reader = await createToken(user.ctx, { name: "reader", scopes: ["read"] });
  expect((await call("POST", `/api/skills/${skill.id}/runs`, { token: reader.token, json: { args } })).status).toBe(
    403,
  );
  const runner = await createToken(user.ctx, { name: "runner", scopes: ["read", "run"] });
  expect((await call("POST", `/api/skills/${skill.id}/runs`, { token: runner.token, json: { args } })).status).toBe(
    409,
  );
  const dry = { args, dryRun: true };
  await updateSkill(user.ctx, skill.id, { enabled: false });
  expect((await call("POST", `/api/skills/${skill.id}/runs`, { token: runner.token, json: dry })).status).toBe(409);
  expect(await find({ tool, action: "request.refuse" })).toMatchObject([
    { ...facts, class: "mutating", actor: { id: user.id } },
    { ...facts, class: "mutating", actor: { id: user.id } },
    { ...facts, class: "mutating", actor: { id: user.id } },
  ]);
  const unknown = await find({ tool: "no-such-skill" });
  expect(unknown).toEqual([]);
});

test("a run for a worker that does not have the skill is refused with an event", async () => {
  const { user, skill, tool, find, argumentsDigest } = await world("told_elsewhere");
  const edge = await testWorker(database, { manager: false });
  const { token } = await createToken(user.ctx, { name: "runner", scopes: ["read", "run"] });
  const asked = await call("POST", `/api/skills/${skill.id}/runs`, { token, json: { args, workerId: edge.id } });
  expect(await asked.json()).toMatchObject({ status: 409, code: "not_offered" });
  expect(await find({ tool, action: "request.refuse" })).toMatchObject([
    { skillId: skill.id, tool, outcome: "refused", device: `worker-${edge.id}`, argumentsDigest },
  ]);
});

test("a tool call of an agent that is refused has skill, class, session and digest", async () => {
  const { user, skill, tool, find, argumentsDigest } = await world("told_agent", { class: "mutating" });
  const agent = await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  const session = await openAgentSession(agent.ctx, { client: "test/1" });
  await callTool(agent.ctx, session, tool, args);
  expect(await find({ session: session.id, tool })).toMatchObject([
    { skillId: skill.id, tool, class: "mutating", role: "user", sessionId: session.id, argumentsDigest },
  ]);
});

test("what a schedule did not start is in the tool’s timeline too", async () => {
  const { user, skill, tool, find, argumentsDigest } = await world("told_schedule");
  const time = { ms: Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 30_000 };
  const now = () => new Date(time.ms);
  const input = CreateScheduleInput.parse({ name: "hourly", skill: skill.id, args, cron: "0 * * * *" });
  await createSchedule({ ...user.ctx, now }, input);
  await updateSkill(user.ctx, skill.id, { enabled: false });
  time.ms += 3_600_000;
  await startDueSchedules({ ...system, now });
  expect(await find({ tool, action: "schedule.refuse" })).toMatchObject([
    { skillId: skill.id, tool, class: "safe", role: "user", argumentsDigest },
  ]);
});
