import { expect, test } from "vitest";
import { recordAgentRead } from "@/lib/audit/record-refusal";
import { verifyAudit } from "@/lib/audit/verify-audit";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { decideRun } from "./approvals/decide-run";
import { startRun } from "./runs/start-run";

const { database, person } = await testDatabase();
const [admin, user] = [await person("admin"), await person("user", "Ann")];
const worker = await testWorker(database);
const schema = {
  type: "object",
  properties: { text: { type: "string" }, pin: { type: "string", writeOnly: true } },
  required: ["text"],
};

async function eventsOf(runId: string) {
  return database.reader.auditEvent.findMany({ where: { runId }, orderBy: { seq: "asc" } });
}

async function start(ctx: typeof user.ctx, skill: string, args: Record<string, unknown>) {
  const started = await startRun(ctx, skill, { args, wait: 0 });
  if (!("run" in started)) throw new Error("a dry run");
  return started.run.id;
}

const TRACE = "a".repeat(32);

test("the events of a run say with what it was asked, what let it through, and what came of it for whom", async () => {
  const skill = await approvedSkill(user.ctx, admin.ctx, { name: "told", manifest: { schema } });
  const ctx = {
    ...user.ctx,
    request: {
      ...user.ctx.request,
      requestId: "request-1",
      traceId: TRACE,
      traceParent: `00-${TRACE}-${"b".repeat(16)}-01`,
    },
  };
  const id = await start(ctx, skill.id, { text: "x".repeat(5000), pin: "a-pin-of-four" });
  const [lease] = await worker.lease();
  if (!lease) throw new Error("no lease");
  expect(lease.traceParent).toBe(ctx.request.traceParent);
  await worker.complete(lease, { result: { token: 3, api_key: "k" } });
  const [asked, taken, ended] = await eventsOf(id);
  expect(taken).toMatchObject({
    ...{ action: "run.lease", callerKind: "worker", onBehalfOfName: "Ann", traceId: TRACE },
    device: expect.stringContaining("worker-"),
  });
  expect(asked).toMatchObject({
    action: "run.start",
    decision: "allow",
    callerKind: "browser",
    traceId: TRACE,
  });
  expect(asked?.rule).toBeTruthy();
  expect(JSON.parse(asked?.arguments ?? "")).toEqual({
    omitted: { sha256: expect.any(String), length: expect.any(Number) },
  });
  expect(JSON.stringify(asked)).not.toContain("a-pin-of-four");
  expect(ended).toMatchObject({
    ...{ action: "run.succeed", callerKind: "worker", onBehalfOfId: user.id, onBehalfOfName: "Ann" },
    ...{ traceId: TRACE, durationMs: 1000, device: expect.stringContaining("worker-"), error: null },
  });
  expect(JSON.parse(ended?.result ?? "")).toEqual({ token: 3, api_key: "••••" });
});

test("what was approved names who approved it", async () => {
  const skill = await approvedSkill(user.ctx, admin.ctx, { name: "signed", manifest: { class: "mutating", schema } });
  const agent = await agentOf(admin.ctx, user, { permissionMode: "mutating-with-confirm" });
  const id = await start(agent.ctx, skill.id, { text: "y", pin: "another-pin" });
  await decideRun(user.ctx, id, { decision: "approve", comment: "" });
  const events = await eventsOf(id);
  const ann = JSON.stringify([{ id: user.id, name: "Ann" }]);
  expect(
    events.map(({ action, decision, callerKind, approvers }) => [action, decision, callerKind, approvers]),
  ).toEqual([
    ["run.request", "ask", "agent", null],
    ["run.approve", "approve", "browser", ann],
    ["run.start", "allow", "browser", ann],
  ]);
  expect(events[0]).toMatchObject({ onBehalfOfId: user.id });
  expect(JSON.parse(events[0]?.arguments ?? "")).toMatchObject({ text: "y" });
  expect(JSON.stringify(events)).not.toContain("another-pin");
  const approval = await database.reader.auditEvent.findFirst({
    where: { action: "version.approve", skillId: skill.id },
  });
  expect(JSON.parse(approval?.approvers ?? "")).toEqual([{ id: admin.id, name: expect.any(String) }]);
});

test("what an agent reads is an event, the same again within a minute is counted, and what people read is none", async () => {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const agent = await agentOf(admin.ctx, user, { permissionMode: "read-only", now: () => new Date(now) });
  const read = () => recordAgentRead(agent.ctx, { path: "/api/skills", query: "?q=tidy" });
  for (let n = 0; n < 5; n++) await read();
  await recordAgentRead(user.ctx, { path: "/api/skills", query: "" });
  now += 61_000;
  await read();
  const events = await database.reader.auditEvent.findMany({
    where: { action: "agent.read" },
    orderBy: { seq: "asc" },
  });
  expect(events.map(({ count, arguments: asked }) => [count, asked])).toEqual([
    [1, '{"q":"tidy"}'],
    [5, '{"q":"tidy"}'],
  ]);
  expect(await verifyAudit(admin.ctx)).toMatchObject({ ok: true });
});
