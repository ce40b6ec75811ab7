import { expect, test } from "vitest";
import { inTransaction } from "@/lib/db/context";
import { decideVersion } from "@/lib/review/decide-version";
import { updateSettings } from "@/lib/settings/update-settings";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { updateSkill } from "@/lib/skills/edit-skills";
import { getSkill } from "@/lib/skills/get-skill";
import { getPipeline } from "@/lib/skills/pipeline/plan-pipeline";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { decideRun } from "../approvals/decide-run";
import { cancelRun } from "../runs/cancel-runs";
import { getRun } from "../runs/get-run";
import { type StartedRun, startRun } from "../runs/start-run";
import { advancePipeline, resumePipelines } from "./advance-pipeline";
import { listSteps } from "./list-steps";

const { person, database, system, as } = await testDatabase();
type Step = { tool?: string; skill?: string; args?: Record<string, unknown>; out?: string };

/** Runs that an earlier test left; a later test would lease or continue them. */
const OPEN = { state: { in: ["queued", "running"] } };

function runOf(started: StartedRun) {
  if (!("run" in started)) throw new Error("this was a dry run");
  return started.run;
}

function tomlFiles(name: string, steps: Step[], more = "", body = ""): SkillFile[] {
  const text = steps.map(({ tool, skill, args = {}, out }) =>
    [
      "[[skill.steps]]",
      tool === undefined ? `skill_name = "${skill}"` : `tool_name = "${tool}"`,
      `arguments_template = '''${JSON.stringify(args)}'''`,
      ...(out === undefined ? [] : [`output_key = "${out}"`]),
    ].join("\n"),
  );
  const toml = `[skill]\nname = "${name}"\ndescription = "Does it."\n${more}\n${text.join("\n")}\n`;
  const bytes = (content: string) => new TextEncoder().encode(content);
  const md = `---\nname: ${name}\ndescription: Does it.\n---\n${body}`;
  return [
    { path: "skill.toml", mode: "644", bytes: bytes(toml) },
    ...(body === "" ? [] : [{ path: "SKILL.md", mode: "644" as const, bytes: bytes(md) }]),
  ];
}

async function world() {
  await database.writer.run.updateMany({ where: OPEN, data: { state: "expired" } });
  const user = await person();
  const reviewer = await person("reviewer");
  const pack = (name: string, manifest: Record<string, unknown> = {}) =>
    approvedSkill(user.ctx, reviewer.ctx, { name, manifest: { schema: { type: "object" }, ...manifest } });
  const pipeline = async (name: string, steps: Step[], { more = "", body = "" } = {}) => {
    const upload = await zipUpload(name, tomlFiles(name, steps, more, body));
    const [skill] = (await importSkills(user.ctx, { ...upload, owner: "me" })).skills;
    const digest = skill?.pendingVersion?.digest ?? "";
    await decideVersion(reviewer.ctx, skill?.id ?? "", digest, { decision: "approve", comment: "", class: "safe" });
    await updateSkill(user.ctx, skill?.id ?? "", { enabled: true });
    return { id: skill?.id ?? "", digest };
  };
  const worker = await testWorker(database);
  const start = async (id: string, args = {}, more = {}) =>
    runOf(await startRun(user.ctx, id, { args, wait: 0, ...more }));
  const stepsOf = (id: string) =>
    database.reader.run.findMany({ where: { parentRunId: id }, orderBy: { stepIndex: "asc" } });
  const says = async (runId: string) =>
    (await database.reader.runEvent.findMany({ where: { runId }, orderBy: { seq: "asc" } })).map(({ text }) => text);
  return { user, reviewer, pack, pipeline, worker, start, stepsOf, says };
}

async function leased(worker: Awaited<ReturnType<typeof testWorker>>) {
  const [lease] = await worker.lease();
  if (!lease) throw new Error("nothing to lease");
  return lease;
}

test("steps run one after the other, and each gets what earlier ones gave", async () => {
  const { pack, pipeline, worker, start, stepsOf, says, user } = await world();
  await pack("find_pages");
  await pack("sum_up");
  const steps = [
    { tool: "find_pages", args: { query: "{topic}" }, out: "found" },
    { skill: "sum_up", args: { pages: "{found}", title: "On {topic}" }, out: "summary" },
  ];
  const skill = await pipeline("research", steps, { body: "Read it out.\n" });
  const run = await start(skill.id, { topic: 'quo"te\n' });
  expect(run).toMatchObject({ state: "running", worker: null });
  const first = await leased(worker);
  expect(first.args).toEqual({ query: 'quo"te\n' });
  expect(await worker.lease()).toEqual([]);
  await worker.complete(first, { result: { pages: [1, 2] } });
  const second = await leased(worker);
  expect(second.args).toEqual({ pages: { pages: [1, 2] }, title: 'On quo"te\n' });
  await worker.complete(second, { result: "short" });
  const done = await getRun(user.ctx, run.id);
  const [one, two] = await stepsOf(run.id);
  expect(done).toMatchObject({
    state: "succeeded",
    result: {
      result: "short",
      steps: [
        { key: "found", runId: one?.id, state: "succeeded", result: { pages: [1, 2] } },
        { key: "summary", runId: two?.id, state: "succeeded", result: "short" },
      ],
      instructions: "Read it out.\n",
    },
  });
  expect(await says(run.id)).toEqual([
    "Pipeline started: 2 steps.",
    `Step 1 (found) started: run ${one?.id}.`,
    "Step 1 (found) succeeded.",
    `Step 2 (summary) started: run ${two?.id}.`,
    "Step 2 (summary) succeeded.",
    "Pipeline succeeded.",
  ]);
  const events = await database.reader.auditEvent.findMany({ where: { runId: { in: [run.id, one?.id ?? ""] } } });
  expect(events.map(({ runId, action }) => [runId === run.id ? "pipeline" : "step", action])).toEqual(
    expect.arrayContaining([
      ["pipeline", "run.start"],
      ["step", "run.start"],
      ["step", "run.lease"],
      ["step", "run.succeed"],
      ["pipeline", "run.succeed"],
    ]),
  );
});

test("the failure of a step stops the pipeline and is its failure", async () => {
  const { pack, pipeline, worker, start, stepsOf, user } = await world();
  await pack("first_one");
  await pack("second_one");
  const skill = await pipeline("stops", [{ tool: "first_one" }, { tool: "second_one" }]);
  const run = await start(skill.id);
  await worker.complete(await leased(worker), { result: null, error: { code: "exit_nonzero", message: "exit 3" } });
  expect(await worker.lease()).toEqual([]);
  expect(await stepsOf(run.id)).toHaveLength(1);
  expect(await getRun(user.ctx, run.id)).toMatchObject({
    state: "failed",
    error: { code: "step_failed", message: "Step 1 (step-1) failed. exit 3" },
  });
});

test("a step can be a pipeline, whose content is the result of its last step; its failure is propagated", async () => {
  const { pack, pipeline, worker, start, user } = await world();
  await pack("inner_step");
  await pack("outer_step");
  await pipeline("inner", [{ tool: "inner_step", args: { v: "{value}" } }]);
  const outer = await pipeline("outer", [
    { skill: "inner", args: { value: "{x}" }, out: "got" },
    { tool: "outer_step", args: { v: "{got}" } },
  ]);
  const run = await start(outer.id, { x: "1" });
  await worker.complete(await leased(worker), { result: { deep: true } });
  const last = await leased(worker);
  expect(last.args).toEqual({ v: { deep: true } });
  await worker.complete(last, { result: 2 });
  expect(await getRun(user.ctx, run.id)).toMatchObject({ state: "succeeded", result: { result: 2 } });
  const again = await start(outer.id, { x: "1" });
  await worker.complete(await leased(worker), { result: null, error: { code: "exit_nonzero", message: "exit 9" } });
  expect(await getRun(user.ctx, again.id)).toMatchObject({
    state: "failed",
    error: { message: expect.stringContaining("Step 1 (got) failed. Step 1 (step-1) failed. exit 9") },
  });
});

test("a pipeline whose process died between two steps goes on exactly once", async () => {
  const { pack, pipeline, worker, start, stepsOf, user } = await world();
  await pack("before_crash");
  await pack("after_crash");
  const skill = await pipeline("crashes", [
    { tool: "before_crash", out: "a" },
    { tool: "after_crash", args: { a: "{a}" } },
  ]);
  const run = await start(skill.id);
  const [step] = await stepsOf(run.id);
  await leased(worker);
  // The end of the step was stored, but the pipeline had not continued.
  await database.writer.run.update({
    where: { id: step?.id ?? "" },
    data: { state: "succeeded", result: '{"n":1}', finishedAt: new Date(), leaseUntil: null },
  });
  expect(await worker.lease()).toEqual([]);
  const sweeps = await Promise.all([resumePipelines(system), resumePipelines(system)]);
  expect(Math.max(...sweeps)).toBe(1);
  await inTransaction(system, (tx, ctx) => advancePipeline(tx, ctx, run.id));
  expect(await stepsOf(run.id)).toHaveLength(2);
  const next = await leased(worker);
  expect(next.args).toEqual({ a: { n: 1 } });
  await worker.complete(next, { result: "end" });
  expect(await resumePipelines(system)).toBe(0);
  expect(await getRun(user.ctx, run.id)).toMatchObject({ state: "succeeded", result: { result: "end" } });
});

test("a step cannot be stored twice", async () => {
  const { pack, pipeline, start, stepsOf } = await world();
  await pack("only_once");
  const run = await start((await pipeline("unique", [{ tool: "only_once" }])).id);
  const [step] = await stepsOf(run.id);
  if (!step) throw new Error("no step");
  await expect(database.writer.run.create({ data: { ...step, id: `${step.id}x` } })).rejects.toThrow(/Unique/);
});

test("a pipeline has the highest class of its steps, is confirmed once, and its mutating steps with it", async () => {
  const { pack, pipeline, worker, start, user } = await world();
  await pack("look_up");
  await pack("change_it", { class: "mutating" });
  const skill = await pipeline("changes", [{ tool: "look_up" }, { tool: "change_it" }]);
  await expect(start(skill.id)).rejects.toMatchObject({ code: "confirmation_required" });
  expect(await startRun(user.ctx, skill.id, { args: {}, wait: 0, dryRun: true })).toMatchObject({
    dryRun: { outcome: "confirm", class: "mutating" },
  });
  const run = await start(skill.id, {}, { confirm: true });
  expect(run.class).toBe("mutating");
  await worker.complete(await leased(worker), {});
  await worker.complete(await leased(worker), {});
  expect((await getRun(user.ctx, run.id)).state).toBe("succeeded");
});

test("what a person signed for an agent’s pipeline is signed for its mutating steps", async () => {
  const { pack, pipeline, worker, stepsOf, user, reviewer } = await world();
  await pack("agent_change", { class: "mutating" });
  const skill = await pipeline("for-agents", [{ tool: "agent_change" }]);
  const admin = await person("admin");
  const agent = await agentOf(admin.ctx, user, { permissionMode: "mutating-with-confirm", allow: [], deny: [] });
  const run = runOf(await startRun(agent.ctx, skill.id, { args: {}, wait: 0 }));
  expect(run.state).toBe("awaiting_approval");
  expect(await worker.lease()).toEqual([]);
  await decideRun(reviewer.ctx, run.id, { decision: "approve", comment: "" });
  expect(await stepsOf(run.id)).toMatchObject([{ state: "queued", signatures: null }]);
  await worker.complete(await leased(worker), { result: 1 });
  expect((await getRun(user.ctx, run.id)).state).toBe("succeeded");
});

test.each([
  ["approve", "running", null],
  ["reject", "failed", "step_rejected"],
] as const)(
  "a dangerous step waits for its own signatures; after %s the pipeline is %s",
  async (decision, state, code) => {
    const admin = await person("admin");
    await updateSettings(admin.ctx, { soloMode: false, signaturesForDangerous: 1 });
    try {
      const { pack, pipeline, worker, start, stepsOf, says, user, reviewer } = await world();
      await pack("calm_step");
      await pack("wild_step", { class: "dangerous" });
      const skill = await pipeline("waits", [{ tool: "calm_step" }, { tool: "wild_step" }]);
      const run = await start(skill.id);
      expect(run).toMatchObject({ state: "awaiting_approval", class: "dangerous" });
      for (const signer of [reviewer, admin]) {
        await decideRun(signer.ctx, run.id, { decision: "approve", comment: "" });
      }
      await worker.complete(await leased(worker), {});
      const [, second] = await stepsOf(run.id);
      expect(second?.state).toBe("awaiting_approval");
      expect(await getRun(user.ctx, run.id)).toMatchObject({ state: "running" });
      expect((await says(run.id)).at(-1)).toBe(`Waits for approval of step 2 (step-2): run ${second?.id}.`);
      const signers = decision === "approve" ? [reviewer, admin] : [reviewer];
      for (const signer of signers) await decideRun(signer.ctx, second?.id ?? "", { decision, comment: "so" });
      expect(await getRun(user.ctx, run.id)).toMatchObject({ state, error: code === null ? null : { code } });
    } finally {
      await updateSettings(admin.ctx, { soloMode: true });
    }
  },
);

test("cancelling a pipeline cancels the step that runs, and the worker hears of it", async () => {
  const { pack, pipeline, worker, start, stepsOf, user } = await world();
  await pack("long_step");
  const run = await start((await pipeline("to-cancel", [{ tool: "long_step" }])).id);
  const lease = await leased(worker);
  expect((await cancelRun(user.ctx, run.id)).state).toBe("cancelled");
  const answer = await worker.say({ holding: [{ runId: lease.runId, fence: lease.fence }] });
  expect(answer.cancel).toMatchObject([{ runId: lease.runId }]);
  await worker.complete(lease, { result: null, error: { code: "cancelled", message: "Cancelled" } });
  expect(await stepsOf(run.id)).toMatchObject([{ state: "cancelled" }]);
  expect((await getRun(user.ctx, run.id)).state).toBe("cancelled");
});

test("a step that is cancelled by itself ends the pipeline as failed", async () => {
  const { pack, pipeline, start, stepsOf, user } = await world();
  await pack("lone_step");
  const run = await start((await pipeline("loses-step", [{ tool: "lone_step" }])).id);
  const [step] = await stepsOf(run.id);
  await cancelRun(user.ctx, step?.id ?? "");
  expect(await getRun(user.ctx, run.id)).toMatchObject({ state: "failed", error: { code: "step_cancelled" } });
});

test("the time limit of the pipeline holds over all its steps", async () => {
  const { pack, pipeline, worker, start, stepsOf, user } = await world();
  await pack("slow_step");
  const run = await start((await pipeline("slow", [{ tool: "slow_step" }])).id);
  await leased(worker);
  const later = as({ kind: "system", name: "test" }, () => new Date(Date.now() + 59_000));
  expect(await resumePipelines(later)).toBe(0);
  const over = as({ kind: "system", name: "test" }, () => new Date(Date.now() + 61_000));
  expect(await resumePipelines(over)).toBe(1);
  expect(await getRun(user.ctx, run.id)).toMatchObject({
    state: "failed",
    timedOut: true,
    error: { code: "timed_out" },
  });
  expect((await stepsOf(run.id))[0]?.cancelReason).toContain("has failed");
});

test("a skill that is switched off meanwhile ends the pipeline at its step", async () => {
  const { pack, pipeline, worker, start, user } = await world();
  await pack("stays_on");
  const off = await pack("goes_off");
  const run = await start((await pipeline("loses-skill", [{ tool: "stays_on" }, { tool: "goes_off" }])).id);
  await updateSkill(user.ctx, off.id, { enabled: false });
  await worker.complete(await leased(worker), {});
  expect(await getRun(user.ctx, run.id)).toMatchObject({
    state: "failed",
    error: { code: "step_refused", message: expect.stringContaining("switched off") },
  });
  const refused = await database.reader.auditEvent.findFirst({ where: { runId: run.id, action: "run.refuse" } });
  expect(refused).toMatchObject({ skillId: off.id, tool: "goes_off", class: "safe", outcome: "refused" });
  expect(JSON.parse(refused?.data ?? "")).toMatchObject({ argumentsDigest: expect.any(String), step: 2 });
});

test("a pipeline whose own approval is withdrawn meanwhile goes no further", async () => {
  const { pack, pipeline, worker, start, stepsOf, user, reviewer } = await world();
  await pack("step_a");
  await pack("step_b");
  const skill = await pipeline("revoked", [{ tool: "step_a" }, { tool: "step_b" }]);
  const run = await start(skill.id);
  const lease = await leased(worker);
  await decideVersion(reviewer.ctx, skill.id, skill.digest, { decision: "revoke", comment: "" });
  await worker.complete(lease, {});
  expect(await stepsOf(run.id)).toHaveLength(1);
  expect(await getRun(user.ctx, run.id)).toMatchObject({ state: "failed", error: { code: "not_approved" } });
});

test("a capability that a step requires and the pipeline was not approved for blocks the run and is named", async () => {
  const { pipeline, start } = await world();
  await pipeline("needs-shell", [{ tool: "whatever" }], {
    more: 'required_capabilities = ["network:fetch", "shell:execute"]',
  });
  const outer = await pipeline("declares-less", [{ skill: "needs-shell" }], {
    more: 'required_capabilities = ["network:fetch"]',
  });
  await expect(start(outer.id)).rejects.toMatchObject({
    code: "forbidden",
    rule: "capability_missing",
    message: "Blocked: Step 1 (needs-shell) requires shell:execute, which “declares-less” was not approved for.",
  });
});

test("cycles, too great a depth and unknown names refuse the run and name the path; what stands beside runs", async () => {
  const { pack, pipeline, start } = await world();
  await pack("plain_leaf");
  await pipeline("ring-b", [{ skill: "ring-a" }]);
  const a = await pipeline("ring-a", [{ skill: "ring-b" }, { tool: "plain_leaf" }]);
  await expect(start(a.id)).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining("ring-a -> ring-b -> ring-a"),
  });
  const beside = await pipeline("beside", [{ tool: "plain_leaf" }]);
  expect((await start(beside.id)).state).toBe("running");
  const admin = await person("admin");
  await updateSettings(admin.ctx, { pipelineMaxDepth: 2 });
  try {
    // The tool that the innermost pipeline calls does not count as a level.
    const two = await pipeline("two", [{ skill: "beside" }]);
    expect((await start(two.id)).state).toBe("running");
    const deep = await pipeline("deep", [{ skill: "two" }]);
    await expect(start(deep.id)).rejects.toMatchObject({
      message: expect.stringContaining("deep -> two -> beside is 3 skills deep. At most 2 are allowed."),
    });
  } finally {
    await updateSettings(admin.ctx, { pipelineMaxDepth: 5 });
  }
  const lost = await pipeline("lost", [{ skill: "nowhere" }]);
  await expect(start(lost.id)).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining("“nowhere”"),
  });
});

test("a tool is found by an alias that other agents use", async () => {
  const { pack, pipeline, worker, start } = await world();
  await pack("read_file");
  await start((await pipeline("by-alias", [{ tool: "file_read", args: { path: "{p}" } }])).id, { p: "a.txt" });
  expect(await leased(worker)).toMatchObject({ skillName: "read_file", args: { path: "a.txt" } });
});

test("arguments have the types of the steps they go to, and missing ones are refused", async () => {
  const { pack, pipeline, start } = await world();
  await pack("counts", { schema: { type: "object", properties: { n: { type: "integer" } } } });
  const skill = await pipeline("typed", [{ tool: "counts", args: { n: "{amount}" } }]);
  await expect(start(skill.id)).rejects.toMatchObject({ code: "invalid", errors: [{ path: "args.amount" }] });
  await expect(start(skill.id, { amount: "3" })).rejects.toMatchObject({ errors: [{ path: "args.amount" }] });
  expect((await start(skill.id, { amount: 3 })).state).toBe("running");
  // A manifest that an older release accepted.
  const stored = await database.reader.version.findFirstOrThrow({ where: { skill: { toolName: "counts" } } });
  const manifest = { ...JSON.parse(stored.manifest), schema: { properties: { n: { type: "intger" } } } };
  await database.writer.version.update({ where: { id: stored.id }, data: { manifest: JSON.stringify(manifest) } });
  await expect(start(skill.id, { amount: 3 })).rejects.toMatchObject({
    code: "schema_invalid",
    message: expect.stringContaining("“typed” cannot be run: its schema is invalid. schema.properties.amount.type:"),
  });
});

test("the plan names what each step calls, the class and capabilities of all together, and each reason against it", async () => {
  const { pack, pipeline, user } = await world();
  const plain = await pack("plan_plain");
  await pack("plan_change", { class: "mutating" });
  const steps = [{ tool: "plan_plain", out: "a" }, { skill: "plan_change" }, { tool: "plan_missing" }];
  const skill = await pipeline("planned", steps, { more: 'required_capabilities = ["network:fetch"]' });
  expect(await getPipeline(user.ctx, skill.id, skill.digest)).toMatchObject({
    class: "mutating",
    capabilities: ["network:fetch"],
    problems: [],
    steps: [
      { key: "a", skill: { id: plain.id, class: "safe" }, problem: null },
      { key: "step-2", calls: "skill", skill: { class: "mutating" } },
      { key: "step-3", calls: "tool", skill: null, problem: expect.stringContaining("“plan_missing”") },
    ],
  });
  expect(await getSkill(user.ctx, skill.id)).toMatchObject({ runnable: true, class: "mutating" });
  await expect(getPipeline(user.ctx, plain.id, plain.digest)).rejects.toMatchObject({ code: "not_found" });
});

test("the steps of a run are listed with their own runs, also those that were not started; strangers see none", async () => {
  const { pack, pipeline, start, stepsOf, user } = await world();
  await pack("listed_one");
  await pack("listed_two");
  const skill = await pipeline("listed", [{ tool: "listed_one", out: "first" }, { tool: "listed_two" }]);
  const run = await start(skill.id);
  const [child] = await stepsOf(run.id);
  expect((await listSteps(user.ctx, run.id)).steps).toMatchObject([
    { index: 0, key: "first", name: "listed_one", run: { id: child?.id, state: "queued", pipeline: false } },
    { index: 1, key: "step-2", name: "listed_two", run: null },
  ]);
  expect(await listSteps(user.ctx, child?.id ?? "")).toEqual({ steps: [] });
  await expect(listSteps((await person()).ctx, run.id)).rejects.toMatchObject({ code: "not_found" });
});
