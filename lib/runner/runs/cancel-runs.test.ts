import { expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { cancelRuns } from "./cancel-runs";
import { getRun } from "./get-run";
import { startRun } from "./start-run";

const { person, database } = await testDatabase();
const admin = await person("admin", "Ada");
const [ben, uma] = [await person("admin", "Ben"), await person("user", "Uma")];
const skill = await approvedSkill(uma.ctx, admin.ctx, { name: "tidy_disk" });
const worker = await testWorker(database);

async function queue(ctx = uma.ctx): Promise<string> {
  const started = await startRun(ctx, skill.id, { args: { text: "x" }, wait: 0 });
  if (!("run" in started)) throw new Error("this was a dry run");
  return started.run.id;
}

const eventsOf = (runId: string, action: string) =>
  database.reader.auditEvent.findMany({ where: { runId, action }, orderBy: { seq: "asc" } });

test("each run has its own answer, its own event, and the reason", async () => {
  const running = await queue();
  const holding = (await worker.lease()).map(({ runId, fence }) => ({ runId, fence }));
  const [waiting, last] = [await queue(), await queue()];
  await cancelRuns(uma.ctx, { ids: [last], reason: "" });
  const { results } = await cancelRuns(uma.ctx, { ids: [waiting, newId(), last, running], reason: "wrong disk" });

  expect(results).toMatchObject([
    { id: waiting, ok: true, run: { state: "cancelled", error: { message: "Cancelled by Uma: wrong disk" } } },
    { ok: false, problem: { code: "not_found" } },
    { id: last, ok: false, problem: { code: "conflict" } },
    { id: running, ok: true, run: { state: "running" } },
  ]);
  expect((await worker.say({ holding })).cancel).toMatchObject([
    { runId: running, reason: "Cancelled by Uma: wrong disk" },
  ]);
  const [event] = await eventsOf(waiting, "run.cancel");
  expect(event).toMatchObject({ outcome: "ok", tool: expect.stringContaining("tidy_disk") });
  expect(JSON.parse(event?.data ?? "")).toMatchObject({ reason: "wrong disk" });
  expect(await eventsOf(running, "run.cancel")).toHaveLength(1);
  expect(await eventsOf(last, "run.cancel")).toHaveLength(1);
});

test("runs of others are refused one by one, on the record, unless an admin asks", async () => {
  const ofBen = await queue(ben.ctx);
  const mine = await queue();
  const { results } = await cancelRuns(uma.ctx, { ids: [ofBen, mine], reason: "" });
  expect(results).toMatchObject([
    { id: ofBen, ok: false, problem: { code: "forbidden" } },
    { id: mine, ok: true },
  ]);
  expect(await getRun(admin.ctx, ofBen)).toMatchObject({ state: "queued" });
  const refused = await database.reader.auditEvent.findFirst({ where: { action: "request.refuse" } });
  expect(refused).toMatchObject({ outcome: "refused", summary: expect.stringContaining(ofBen) });
  expect((await cancelRuns(admin.ctx, { ids: [ofBen], reason: "" })).results).toMatchObject([{ ok: true }]);
});

test("an agent cancels what its own token asked for, and nothing else of its person’s", async () => {
  const [agent, sibling] = [
    await agentOf(admin.ctx, uma, { permissionMode: "read-only" }),
    await agentOf(admin.ctx, uma, { permissionMode: "read-only" }),
  ];
  const [ofPerson, ofSibling, own] = [await queue(), await queue(sibling.ctx), await queue(agent.ctx)];
  const { results } = await cancelRuns(agent.ctx, { ids: [ofPerson, ofSibling, own], reason: "" });
  expect(results).toMatchObject([
    { ok: false, problem: { code: "forbidden" } },
    { ok: false, problem: { code: "forbidden" } },
    { id: own, ok: true },
  ]);
  expect((await cancelRuns(uma.ctx, { ids: [ofSibling], reason: "" })).results).toMatchObject([{ ok: true }]);
});

test("an id that is named twice is cancelled once", async () => {
  const id = await queue();
  const { results } = await cancelRuns(uma.ctx, { ids: [id, id], reason: "" });
  expect(results).toMatchObject([{ id, ok: true }]);
});

test("a token without the scope cancels nothing", async () => {
  const id = await queue();
  await expect(cancelRuns(uma.token(["read"]), { ids: [id], reason: "" })).rejects.toMatchObject({ code: "forbidden" });
  expect(await getRun(uma.ctx, id)).toMatchObject({ state: "queued" });
});
