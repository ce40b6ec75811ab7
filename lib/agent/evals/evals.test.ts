import { afterAll, expect, test } from "vitest";
import { listTraces } from "@/lib/agent/traces/traces";
import { decideVersion } from "@/lib/review/decide-version";
import { createEndpoint } from "@/lib/settings/models/endpoints";
import { CreateModelEndpointInput } from "@/lib/settings/models/schema";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { updateSkill } from "@/lib/skills/edit-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { type ModelReply, type ModelRequest, startModelServer } from "@/lib/testing/model-server";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { ListTracesQuery, TraceFiguresQuery } from "../traces/schema";
import { sumTraces } from "../traces/sum-traces";
import { cancelEvaluation, getEvaluation, listEvaluations } from "./evaluations";
import { getVersionEvals } from "./read-version-evals";
import { StartEvaluationInput } from "./schema";
import { beginEvaluation } from "./start-evaluation";

const { person, database } = await testDatabase();
const [admin, reviewer, owner] = [await person("admin"), await person("reviewer"), await person()];
let script: (request: ModelRequest) => ModelReply = () => ({ text: "hello" });
const server = await startModelServer((request) => script(request));
afterAll(server.close);
const endpoint = { name: "scripted", kind: "openai", baseUrl: server.url, models: ["m"] };
await createEndpoint(admin.ctx, CreateModelEndpointInput.parse(endpoint));

const evals = (value: unknown): SkillFile => ({
  path: "evals/evals.json",
  mode: "644",
  bytes: new TextEncoder().encode(JSON.stringify(value)),
});
const PASSWORD = [
  { id: "word", prompt: "What is the word?", checks: [{ kind: "contains", value: "xyzzy" }, { kind: "skill_used" }] },
  { id: "judged", prompt: "Say it nicely", expected: "the word, politely" },
];

async function imported(name: string, files: SkillFile[], approve = true) {
  const [skill] = (await importSkills(owner.ctx, { ...(await zipUpload(name, files)), owner: "me" })).skills;
  const [id, digest] = [skill?.id ?? "", skill?.pendingVersion?.digest ?? ""];
  if (approve) {
    await decideVersion(reviewer.ctx, id, digest, { decision: "approve", comment: "" });
    await updateSkill(owner.ctx, id, { enabled: true });
  }
  return { id, name, digest };
}

/** A model that knows the word from the playbook only, and judges every answer with `verdict`. */
function knowing(name: string, verdict: string): (request: ModelRequest) => ModelReply {
  return ({ system, messages, last }) => {
    if (system.includes("You judge an answer")) return { text: verdict };
    if (!system.includes(name)) return { text: "I do not know." };
    if (messages.length === 1) return { calls: [{ name: "use_skill", args: { name } }] };
    return { text: last.includes("xyzzy") ? "It is xyzzy." : "The playbook does not say." };
  };
}

async function evaluate(id: string, input: object = {}, who = owner) {
  const begun = await beginEvaluation(who.ctx, id, StartEvaluationInput.parse(input));
  await begun.work;
  return getEvaluation(who.ctx, begun.evaluation.id);
}

test("two versions are evaluated with the skill and without it, side by side, and compared by figures", async () => {
  const body = "# Word\n\nThe word is xyzzy.\n";
  const first = await imported("knows-word", [...playbookFiles({ name: "knows-word", body }), evals(PASSWORD)]);
  script = knowing("knows-word", '```json\n[{"passed": true, "why": "it is polite"}]\n```');
  const done = await evaluate(first.id);
  expect(done).toMatchObject({
    ...{ state: "done", error: null, cases: 2, model: "m", versionNumber: 1 },
    withSkill: { answers: 2, passed: 2, steps: 4, tokens: 60 },
    withoutSkill: { answers: 2, passed: 1, steps: 2, tokens: 30 },
  });
  expect(done.results[0]).toMatchObject({
    caseId: "word",
    withSkill: { answer: "It is xyzzy.", passed: true, sessionId: expect.any(String) },
    withoutSkill: { answer: "I do not know.", passed: false, sessionId: null },
  });
  expect(done.results[0]?.withoutSkill?.checks).toEqual([
    { what: "contains “xyzzy”", passed: false, why: "it does not" },
    { what: "uses knows-word", passed: false, why: "no skill was used" },
  ]);
  expect(done.results[1]?.withSkill?.checks).toMatchObject([{ passed: true, why: "it is polite" }]);

  const worse = playbookFiles({ name: "knows-word", body: "# Word\n\nThere is none.\n" });
  const second = await imported("knows-word", [...worse, evals(PASSWORD)], false);
  expect(second.id).toBe(first.id);
  const waiting = await evaluate(first.id, { versionDigest: second.digest });
  expect(waiting).toMatchObject({ versionNumber: 2, withSkill: { passed: 1 }, withoutSkill: { passed: 1 } });

  const listed = await listEvaluations(owner.ctx, first.id, { limit: 10 });
  expect(listed.items.map(({ versionNumber, withSkill }) => [versionNumber, withSkill.passed])).toEqual([
    [2, 1],
    [1, 2],
  ]);
  const traces = await listTraces(owner.ctx, ListTracesQuery.parse({ skill: first.id }));
  expect(traces.items.map(({ surface, outcome, kind }) => [surface, outcome, kind])).toEqual(
    Array.from({ length: 4 }, () => ["evaluation", "ok", "instructional"]),
  );
  expect((await sumTraces(owner.ctx, TraceFiguresQuery.parse({ skill: first.id }))).items).toEqual([]);
});

test("a judge that gives no verdict passes nothing", async () => {
  const files = [...playbookFiles({ name: "no-verdict" }), evals([{ prompt: "a", expected: "b" }])];
  const skill = await imported("no-verdict", files);
  script = knowing("no-verdict", "I would rather say [something] else.");
  const done = await evaluate(skill.id);
  expect(done).toMatchObject({ state: "done", withSkill: { passed: 0 }, withoutSkill: { passed: 0 } });
  expect(done.results[0]?.withSkill?.checks).toMatchObject([{ why: "The model gave no verdict." }]);
});

test("a pending version never runs, even if the model asks for it", async () => {
  const cases = [{ prompt: "run it", checks: [{ kind: "tool_called", tool: "waiting_pack" }] }];
  const skill = await imported("waiting_pack", packFiles({ name: "waiting_pack", extra: [evals(cases)] }), false);
  script = ({ messages }) =>
    messages.length === 1 ? { calls: [{ name: "waiting_pack", args: { text: "x" } }] } : { text: "ran it" };
  const done = await evaluate(skill.id, { versionDigest: skill.digest });
  expect(done.withSkill).toMatchObject({ answers: 1, passed: 0 });
  expect(await database.reader.run.count({ where: { skillId: skill.id } })).toBe(0);
});

test("people who neither manage nor review see figures only and may not evaluate; without cases it is a conflict", async () => {
  const stranger = await person();
  const skill = await imported("org-skill", [...playbookFiles({ name: "org-skill" }), evals(PASSWORD)]);
  await database.writer.skill.update({ where: { id: skill.id }, data: { visibility: "public" } });
  script = knowing("org-skill", "[]");
  const done = await evaluate(skill.id, {}, reviewer);
  await expect(evaluate(skill.id, {}, stranger)).rejects.toMatchObject({ code: "forbidden", rule: "evaluate" });
  await expect(getEvaluation(stranger.ctx, done.id)).rejects.toMatchObject({ code: "forbidden" });
  await expect(cancelEvaluation(stranger.ctx, done.id)).rejects.toMatchObject({ code: "forbidden" });
  expect((await listEvaluations(stranger.ctx, skill.id, { limit: 5 })).items).toHaveLength(1);

  const risky = await imported("risky-word", [...playbookFiles({ name: "risky-word" }), evals(PASSWORD)]);
  await database.writer.skill.update({ where: { id: risky.id }, data: { class: "dangerous" } });
  await expect(evaluate(risky.id)).rejects.toMatchObject({ code: "forbidden", rule: "persona-mode" });
  expect((await listEvaluations(owner.ctx, risky.id, { limit: 5 })).items).toEqual([]);

  const empty = await imported("no-cases", [...playbookFiles({ name: "no-cases" }), evals([{ prompt: "a" }])]);
  await expect(evaluate(empty.id)).rejects.toMatchObject({ code: "conflict", rule: "no-cases" });
  expect(await getVersionEvals(owner.ctx, empty.id, empty.digest)).toMatchObject({
    cases: [],
    diagnostics: [{ path: "evals/evals.json" }],
  });
});

test("a broken model server ends the whole evaluation with its reason", async () => {
  const cases = Array.from({ length: 20 }, (_, index) => ({ id: index, prompt: "a", expected: "b" }));
  const skill = await imported("broken-model", [...playbookFiles({ name: "broken-model" }), evals(cases)]);
  script = () => ({ status: 401, body: '{"error":{"message":"no"}}' });
  const failed = await evaluate(skill.id);
  expect(failed).toMatchObject({ state: "failed", error: expect.stringContaining("401") });
  expect(failed.withSkill.answers + failed.withoutSkill.answers).toBeLessThan(6);
});

test("an evaluation can be stopped while a model hangs, its answers stay, and another one can start", async () => {
  const cases = Array.from({ length: 3 }, (_, index) => ({ id: index, prompt: `case ${index}`, expected: "b" }));
  const skill = await imported("hangs", [...playbookFiles({ name: "hangs" }), evals(cases)]);
  let hung = () => {};
  const hangs = new Promise<void>((resolve) => {
    hung = resolve;
  });
  script = ({ system, messages }) => {
    if (system.includes("You judge")) return { text: '[{"passed": true, "why": ""}]' };
    const prompt = JSON.stringify(messages[0]);
    if (prompt.includes("case 0")) return { text: "b" };
    hung();
    return { hang: true };
  };
  const { evaluation, work } = await beginEvaluation(owner.ctx, skill.id, StartEvaluationInput.parse({}));
  await expect(evaluate(skill.id)).rejects.toMatchObject({ code: "conflict" });
  await hangs;
  const cancelled = await cancelEvaluation(owner.ctx, evaluation.id);
  expect(cancelled.state).toBe("cancelled");
  await work;
  const after = await getEvaluation(owner.ctx, evaluation.id);
  expect(after.state).toBe("cancelled");
  expect(after.withSkill.answers + after.withoutSkill.answers).toBeLessThan(6);
  await expect(cancelEvaluation(owner.ctx, evaluation.id)).rejects.toMatchObject({ code: "conflict" });
  script = knowing("hangs", '[{"passed": true, "why": ""}]');
  expect((await evaluate(skill.id)).state).toBe("done");
});
