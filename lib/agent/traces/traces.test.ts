import { expect, test } from "vitest";
import { startRun } from "@/lib/runner/runs/start-run";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { callTool } from "../call-tool";
import { openAgentSession } from "../sessions/open-agent-session";
import { ListTracesQuery, TraceFiguresQuery } from "./schema";
import { sumTraces } from "./sum-traces";
import { getTrace, listTraces, rateTrace } from "./traces";

const { person, database } = await testDatabase();
const [admin, reviewer, owner, other] = [
  await person("admin"),
  await person("reviewer"),
  await person(),
  await person(),
];

const list = async (who: typeof owner, query: object = {}) =>
  (await listTraces(who.ctx, ListTracesQuery.parse(query))).items;

async function runOf(skillId: string, args: object, who = owner) {
  const started = await startRun(who.ctx, skillId, { args: { ...args }, wait: 0 });
  if ("dryRun" in started) throw new Error("a run was only tried");
  return started.run.id;
}

async function finish(id: string, data: object) {
  await database.writer.run.update({ where: { id }, data: { state: "succeeded", finishedAt: new Date(), ...data } });
}

test("a run from a page, by a token and by an agent, and a playbook, are traces each once, with where they came from", async () => {
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "many_ways" });
  const agent = await agentOf(admin.ctx, owner, { permissionMode: "mutating-with-confirm", allow: [], deny: [] });
  const page = await runOf(skill.id, { text: "by hand" });
  const token = await runOf(skill.id, { text: "by token" }, { ...owner, ctx: agent.ctx });
  const session = await openAgentSession(agent.ctx, { client: "agent 1", surface: "mcp" });
  await callTool(agent.ctx, session, "many_ways", { text: "by agent" }, { waitSeconds: 0 });
  await callTool(agent.ctx, session, "use_skill", { name: "many_ways" });
  await callTool(agent.ctx, session, "many_ways", { text: 7 });
  await finish(page, { result: '{"text":"by hand"}', durationMs: 30 });
  await finish(token, { state: "failed", errorMessage: "no such file", durationMs: 10 });

  const all = await list(owner, { skill: skill.id });
  expect(all.map(({ surface, kind, outcome }) => [surface, kind, outcome])).toEqual([
    ["mcp", "executable", "failed"],
    ["mcp", "instructional", "ok"],
    ["mcp", "executable", "open"],
    ["http", "executable", "failed"],
    ["page", "executable", "ok"],
  ]);
  expect(all[2]).toMatchObject({ sessionId: session.id, versionNumber: 1, source: "imported" });
  expect(all[4]).toMatchObject({ runId: page, sessionId: null, durationMs: 30, skill: { name: "many_ways" } });
  expect(all[1]?.durationMs).toEqual(expect.any(Number));
  expect(all[3]?.detail).toBe("no such file");

  const first = await listTraces(owner.ctx, ListTracesQuery.parse({ skill: skill.id, limit: 3 }));
  const rest = await list(owner, { skill: skill.id, limit: 3, cursor: first.nextCursor });
  expect([...first.items, ...rest].map(({ id }) => id)).toEqual(all.map(({ id }) => id));

  const ids = async (query: object) => (await list(owner, { skill: "many_ways", ...query })).map(({ id }) => id);
  const at = (...places: number[]) => places.map((place) => all[place]?.id);
  expect(await ids({ surface: "mcp" })).toEqual(at(0, 1, 2));
  expect(await ids({ kind: "instructional" })).toEqual(at(1));
  expect(await ids({ kind: "executable", outcome: "failed" })).toEqual(at(0, 3));
  expect(await ids({ outcome: "open" })).toEqual(at(2));
  expect(await ids({ session: session.id })).toEqual(at(0, 1, 2));
  expect(await ids({ version: skill.digest, outcome: "ok" })).toEqual(at(1, 4));
  expect(await ids({ version: "0".repeat(64) })).toEqual([]);
  expect(await ids({ source: "imported" })).toHaveLength(5);
  expect(await ids({ source: "authored" })).toEqual([]);
  expect(await ids({ to: all[4]?.at })).toEqual([]);
});

test("people see and rate their own uses, reviewers all uses; a rating is in the audit log and can be removed", async () => {
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "rated_one" });
  const id = await runOf(skill.id, { text: "a" });
  await database.writer.skill.update({ where: { id: skill.id }, data: { visibility: "public" } });
  expect(await list(other, { skill: skill.id })).toEqual([]);
  await expect(getTrace(other.ctx, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(rateTrace(other.ctx, id, 1)).rejects.toMatchObject({ code: "not_found" });

  expect(await rateTrace(owner.ctx, id, 1)).toMatchObject({ rating: 1, ratedBy: { id: owner.id }, mayRate: true });
  expect(await rateTrace(reviewer.ctx, id, -1)).toMatchObject({ rating: -1, ratedBy: { id: reviewer.id } });
  expect(await list(owner, { skill: skill.id, rating: "down" })).toHaveLength(1);
  expect(await rateTrace(owner.ctx, id, 0)).toMatchObject({ rating: 0, ratedBy: null });
  await rateTrace(owner.ctx, id, 0);
  const events = await database.reader.auditEvent.findMany({ where: { action: "trace.rate", runId: id } });
  expect(events).toHaveLength(3);
});

test("whose skill it is sees its runs by others and rates none of them", async () => {
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "lent_out" });
  await database.writer.skill.update({ where: { id: skill.id }, data: { visibility: "public" } });
  const id = await runOf(skill.id, { text: "mine" }, reviewer);
  expect(await list(owner, { skill: skill.id })).toMatchObject([{ id, mayRate: false }]);
  await expect(rateTrace(owner.ctx, id, 1)).rejects.toMatchObject({ code: "forbidden", rule: "own-traces" });
});

test("a trace contains no secret values, and long texts are truncated with a digest of the full text", async () => {
  const properties = { text: { type: "string" }, key: { type: "string", writeOnly: true } };
  const manifest = { schema: { type: "object", properties, required: ["text"] } };
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "hides_key", manifest });
  const id = await runOf(skill.id, { text: "é".repeat(8_000), key: "hunter2-hunter2" });
  await finish(id, { result: '{"text":"short"}' });
  const { input, output } = await getTrace(owner.ctx, id);
  expect(output).toEqual({ text: '{"text":"short"}', bytes: 16, digest: null });
  expect(Buffer.byteLength(input?.text ?? "")).toBeLessThanOrEqual(8_192);
  expect(input?.digest).toMatch(/^[0-9a-f]{64}$/);
  const short = await getTrace(owner.ctx, await runOf(skill.id, { text: "a", key: "hunter2-hunter2" }));
  expect(short.input?.text).toContain("marked as secret");
  expect(short.input?.text).not.toContain("hunter2");
});

test("figures count uses, success, the median duration and thumbs of each skill and of each version", async () => {
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "counted_one" });
  const runs = [];
  for (const text of ["a", "b", "c", "d"]) runs.push(await runOf(skill.id, { text }));
  const [a = "", b = "", c = ""] = runs;
  await finish(a, { durationMs: 10 });
  await finish(b, { durationMs: 40 });
  await finish(c, { state: "failed", durationMs: 30 });
  await rateTrace(owner.ctx, a, 1);
  await rateTrace(owner.ctx, b, -1);
  const sum = (query: object, who = owner) => sumTraces(who.ctx, TraceFiguresQuery.parse(query));
  const expected = { uses: 4, okShare: 2 / 3, medianMs: 30, up: 1, down: 1 };
  expect((await sum({ skill: skill.id })).items).toMatchObject([{ ...expected, versionDigest: null }]);
  const byVersion = await sum({ skill: skill.id, by: "version" });
  expect(byVersion).toMatchObject({
    items: [{ ...expected, versionDigest: skill.digest, versionNumber: 1 }],
    isPartial: false,
  });
  expect((await sum({}, other)).items).toEqual([]);
});

test("uses older than the retention are no traces, even if the run is kept", async () => {
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "long_ago" });
  const id = await runOf(skill.id, { text: "a" });
  await finish(id, { queuedAt: new Date(Date.now() - 31 * 86_400_000) });
  expect(await list(owner, { skill: skill.id })).toEqual([]);
  await expect(getTrace(owner.ctx, id)).rejects.toMatchObject({ code: "not_found" });
});
