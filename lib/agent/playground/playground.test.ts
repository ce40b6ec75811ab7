import { afterAll, expect, test } from "vitest";
import { decideVersion } from "@/lib/review/decide-version";
import { createEndpoint } from "@/lib/settings/models/create-endpoint";
import { CreateModelEndpointInput } from "@/lib/settings/models/schema";
import { importSkills } from "@/lib/skills/import-skills";
import { updateSkill } from "@/lib/skills/update-skill";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { type ModelReply, type ModelRequest, startModelServer } from "@/lib/testing/model-server";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { createConversation } from "./create-conversation";
import { getConversation } from "./get-conversation";
import { CreateConversationInput, type PlaygroundEvent } from "./schema";
import { sendMessage } from "./send-message";
import { stopConversation } from "./stop-conversation";

const { person, database } = await testDatabase();
const [admin, reviewer, owner] = [await person("admin"), await person("reviewer"), await person()];

let script: (request: ModelRequest) => ModelReply = () => ({ text: "hello" });
const server = await startModelServer((request) => script(request));
afterAll(server.close);

test("without a model endpoint it says what is missing and who can set it", async () => {
  await expect(createConversation(owner.ctx, CreateConversationInput.parse({}))).rejects.toMatchObject({
    rule: "no-model-endpoint",
    message: expect.stringContaining("admin"),
  });
});

async function endpoint(kind: "openai" | "anthropic") {
  const name = `${kind} ${(await database.reader.modelEndpoint.count()) + 1}`;
  return createEndpoint(admin.ctx, CreateModelEndpointInput.parse({ name, kind, baseUrl: server.url, models: ["m"] }));
}
const endpoints = { openai: () => endpoint("openai"), anthropic: () => endpoint("anthropic") };

async function playbook(name: string, more = "", options: { approve?: boolean } = {}) {
  const upload = await zipUpload(name, playbookFiles({ name, more }));
  const [skill] = (await importSkills(owner.ctx, { ...upload, owner: "me" })).skills;
  const digest = skill?.pendingVersion?.digest ?? "";
  if (options.approve !== false) {
    await decideVersion(reviewer.ctx, skill?.id ?? "", digest, { decision: "approve", comment: "" });
    await updateSkill(owner.ctx, skill?.id ?? "", { enabled: true });
  }
  return { id: skill?.id ?? "", name, digest };
}

type Talk = { id: string; who?: typeof owner; signal?: AbortSignal; onEvent?: (event: PlaygroundEvent) => void };

async function say(text: string, { id, who = owner, signal = new AbortController().signal, onEvent }: Talk) {
  const events: PlaygroundEvent[] = [];
  const keep = (event: PlaygroundEvent) => {
    events.push(event);
    onEvent?.(event);
  };
  await sendMessage(who.ctx, id, { text }, { signal, onEvent: keep });
  const of = <T extends PlaygroundEvent["type"]>(type: T) =>
    events.filter((event): event is Extract<PlaygroundEvent, { type: T }> => event.type === type);
  return { events, of, end: of("end")[0] };
}

async function begin(input: object, who = owner) {
  return createConversation(who.ctx, CreateConversationInput.parse(input));
}

/** Calls tools in this order, one a step, then answers. */
function calling(...calls: { name: string; args: unknown }[]) {
  let step = 0;
  script = () => {
    const call = calls[step++];
    return call ? { calls: [call] } : { text: "done" };
  };
}

test.each(["openai", "anthropic"] as const)(
  "%s: an agent loads a playbook, is held to its list, and what is refused is told",
  async (kind) => {
    const { id: endpointId } = await endpoints[kind]();
    const limited = await playbook(`limited-${kind}`, "allowed-tools: Read\n");
    const pack = await approvedSkill(owner.ctx, reviewer.ctx, { name: `adds_${kind}` });
    const talk = await begin({ endpointId, skills: [{ skillId: limited.id }, { skillId: pack.id }] });
    calling({ name: "use_skill", args: { name: limited.name } }, { name: `adds_${kind}`, args: { text: "a" } });
    const { of, end } = await say("help me", { id: talk.id });
    expect(of("preamble")[0]?.text).toContain(limited.name);
    expect(of("limit")).toMatchObject([{ skill: limited.name, tools: ["Read"], fork: null }]);
    expect(of("result").map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ["use_skill", "ok"],
      [`adds_${kind}`, "refused"],
    ]);
    expect(end).toMatchObject({ reason: "done", message: null });
    const steps = await database.reader.agentStep.findMany({
      where: { sessionId: talk.sessionId },
      orderBy: { id: "asc" },
    });
    expect(steps.map((step) => [step.kind, step.surface])).toEqual([
      ["loaded", "playground"],
      ["refused", "playground"],
    ]);
    expect(steps[0]).toMatchObject({ input: "help me", output: "done" });
    const stored = await getConversation(owner.ctx, talk.id);
    expect(stored.turns).toMatchObject([{ prompt: "help me", answer: "done", state: "done", endReason: "done" }]);

    script = ({ messages }) => ({ text: `it knows ${messages.length} messages` });
    const second = await say("again", { id: talk.id });
    expect(
      second
        .of("text")
        .map(({ text }) => text)
        .join(""),
    ).toMatch(/knows [5-9] messages/);
  },
);

test("a playbook with a context of its own is carried out by a sub-agent that never limits its parent", async () => {
  const forked = await playbook("forked-one", "context: fork\nallowed-tools: Read\n");
  const pack = await approvedSkill(owner.ctx, reviewer.ctx, { name: "parent_tool", manifest: { class: "mutating" } });
  const talk = await begin({ skills: [{ skillId: forked.id }, { skillId: pack.id }] });
  let parentSteps = 0;
  const RESULT = '{"outcome":"done","summary":"found it"}';
  script = ({ system, last }) => {
    if (system.includes("You are a sub-agent")) {
      return last.includes("may not") || last.includes("does not let")
        ? { text: RESULT }
        : { calls: [{ name: "parent_tool", args: { text: "x" } }] };
    }
    parentSteps++;
    if (parentSteps === 1) return { calls: [{ name: "use_skill", args: { name: forked.name } }] };
    if (parentSteps === 2) return { calls: [{ name: "parent_tool", args: { text: "x" } }] };
    return { text: "all done" };
  };
  const { of, end } = await say("do it", { id: talk.id });
  expect(of("fork")).toMatchObject([{ skill: forked.name, tools: ["Read"] }]);
  expect(of("joined")).toMatchObject([{ result: RESULT, reason: "done" }]);
  const byFork = of("result").map(({ fork, tool, outcome }) => [fork === null ? "parent" : "child", tool, outcome]);
  expect(byFork[0]).toEqual(["child", "parent_tool", "refused"]);
  expect(byFork[1]).toEqual(["parent", "use_skill", "ok"]);
  expect(byFork[2]).toEqual(["parent", "parent_tool", "parked"]);
  expect(end?.reason).toBe("done");
});

test("a version that waits is tried by its owner and by reviewers, as a playbook, and nothing of it runs", async () => {
  const stranger = await person();
  const pending = await playbook("not-yet", "", { approve: false });
  const upload = await zipUpload("pack", packFiles({ name: "pending_pack" }));
  const [pack] = (await importSkills(owner.ctx, { ...upload, owner: "me" })).skills;
  const chosen = [
    { skillId: pending.id, versionDigest: pending.digest },
    { skillId: pack?.id ?? "", versionDigest: pack?.pendingVersion?.digest ?? "" },
  ];
  await expect(begin({ skills: chosen }, stranger)).rejects.toMatchObject({ code: "not_found" });
  for (const who of [owner, reviewer]) {
    const talk = await begin({ skills: chosen }, who);
    calling({ name: "use_skill", args: { name: pending.name } }, { name: "pending_pack", args: { text: "a" } });
    const { of } = await say("try", { id: talk.id, who });
    expect(of("preamble")[0]?.tools).not.toContain("pending_pack");
    expect(of("result")[0]).toMatchObject({ tool: "use_skill", outcome: "ok" });
    expect(of("result")[0]?.content).toContain("nothing of it runs");
    expect(of("result")[1]).toMatchObject({ tool: "pending_pack", outcome: "failed" });
  }
  expect(await database.reader.run.count({ where: { skillId: pack?.id ?? "" } })).toBe(0);
  const bare = await begin({ skills: [] });
  await database.writer.conversation.update({
    where: { id: bare.id },
    data: { userId: stranger.id, skills: JSON.stringify(chosen) },
  });
  await expect(say("try", { id: bare.id, who: stranger })).rejects.toMatchObject({ code: "not_found" });
});

test.each([
  ["a wrong key", { status: 401, body: '{"error":{"message":"no"}}' }, "401"],
  ["its own failure", { status: 500, body: "{}" }, "500"],
  ["no stream", { raw: "<html>" }, ""],
] as [string, ModelReply, string][])("%s of the model’s server ends in a sentence", async (_, reply, said) => {
  const talk = await begin({});
  script = () => reply;
  const { end } = await say("hello", { id: talk.id });
  expect(end).toMatchObject({ reason: "error", message: expect.stringContaining(said) });
  expect((await getConversation(owner.ctx, talk.id)).turns[0]).toMatchObject({ state: "failed", endReason: "error" });
});

test("an unknown tool and arguments that are no JSON are told to the model, which goes on", async () => {
  const talk = await begin({});
  calling(
    { name: "no_such_tool", args: {} },
    { name: "use_skill", args: "{broken" },
    { name: "use_skill", args: { nam: 1 } },
  );
  const { end, of } = await say("hello", { id: talk.id });
  expect(end?.reason).toBe("done");
  expect(
    of("text")
      .map(({ text }) => text)
      .join(""),
  ).toContain("done");
  expect(of("result").slice(0, 2)).toMatchObject([
    { tool: "no_such_tool", outcome: "failed" },
    { tool: "use_skill", outcome: "failed" },
  ]);
});

test("the limit that ends an answer is named: steps, tokens and seconds", async () => {
  script = () => ({ calls: [{ name: "list_skills", args: {} }] });
  const limits = { steps: 3, tokens: 100_000, seconds: 60 };
  const bySteps = await begin({ limits });
  expect((await say("go", { id: bySteps.id })).end?.reason).toBe("steps");
  const byTokens = await begin({ limits: { ...limits, steps: 50, tokens: 100 } });
  expect((await say("go", { id: byTokens.id })).end?.reason).toBe("tokens");
  script = () => ({ hang: true });
  const byTime = await begin({ limits: { ...limits, seconds: 5 } });
  expect((await say("go", { id: byTime.id })).end?.reason).toBe("time");
});

test("it stops at any moment, and one conversation gives one answer at a time", async () => {
  script = () => ({ hang: true });
  const talk = await begin({});
  const first = say("go", {
    id: talk.id,
    onEvent: async ({ type }) => {
      if (type !== "preamble") return;
      await expect(say("and this", { id: talk.id })).rejects.toMatchObject({ code: "conflict" });
      await stopConversation(owner.ctx, talk.id);
    },
  });
  expect((await first).end?.reason).toBe("stopped");
  expect((await getConversation(owner.ctx, talk.id)).turns[0]).toMatchObject({ state: "stopped" });
  await expect(stopConversation(reviewer.ctx, talk.id)).rejects.toMatchObject({ code: "not_found" });
});
