import { readdirSync, readFileSync } from "node:fs";
import { type OAuthClientProvider, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import {
  ElicitRequestSchema,
  type ElicitResult,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { detachClients } from "@/lib/agent/mcp/handle-mcp";
import { allSessions } from "@/lib/agent/mcp/mcp-sessions";
import { checkListeners } from "@/lib/agent/mcp/watch-offers";
import { createPersona } from "@/lib/auth/personas";
import type { CreatePersonaInput } from "@/lib/auth/schema";
import { createToken, revokeToken } from "@/lib/auth/tokens/tokens";
import type { Role, Scope } from "@/lib/core/actor";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { createCtx } from "@/lib/db/context";
import { decideVersion } from "@/lib/review/decide-version";
import { decideRun } from "@/lib/runner/approvals/decide-run";
import { waitForRun } from "@/lib/runner/runs/get-run";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { validateStrict } from "@/lib/skill-format/manifest/validate-strict";
import { updateSkill } from "@/lib/skills/edit-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { browserOf } from "@/lib/testing/browser-of";
import { listeningServer } from "@/lib/testing/listening-server";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testServer } from "@/lib/testing/test-server";
import { testWorker } from "@/lib/testing/test-worker";
import { ROUTE_TABLE } from "../api/testing/route-table";

const { person, database } = await testServer(ROUTE_TABLE);
const url = await listeningServer(ROUTE_TABLE);
const worker = await testWorker(database);
await worker.say({});

async function addPerson(role: Role) {
  const { id } = await person(role);
  const { email, name } = await database.reader.user.findUniqueOrThrow({ where: { id } });
  const actor = { kind: "user" as const, userId: id, name, email, role, sessionId: newId() };
  return { id, ctx: createCtx({ actor, database }) };
}

const [admin, reviewer, owner] = [await addPerson("admin"), await addPerson("reviewer"), await addPerson("user")];

async function approved(files: SkillFile[]): Promise<string> {
  const upload = await zipUpload("pack", files);
  const [skill] = (await importSkills(owner.ctx, { ...upload, owner: "me" })).skills;
  const digest = skill?.pendingVersion?.digest ?? "";
  await decideVersion(reviewer.ctx, skill?.id ?? "", digest, { decision: "approve", comment: "" });
  await updateSkill(owner.ctx, skill?.id ?? "", { enabled: true });
  return skill?.id ?? "";
}

const text = (content: string) => new TextEncoder().encode(content);
const REFERENCE = "# Reference\n\nExact — to the byte.\n";
const skills = {
  echo: await approved(packFiles({ name: "echo_args" })),
  change: await approved(packFiles({ name: "change_it", manifest: { class: "mutating" } })),
  danger: await approved(packFiles({ name: "break_it", manifest: { class: "dangerous" } })),
  notes: await approved([
    ...playbookFiles({
      name: "tidy-notes",
      body: "# Tidy\n\nTidy $0 for $1.\n",
      more: 'arguments: [file, reader]\nallowed-tools: "Read"\n',
    }),
    { path: "references/style.md", mode: "644", bytes: text(REFERENCE) },
  ]),
  manual: await approved(playbookFiles({ name: "by-hand", more: "disable-model-invocation: true\n" })),
};

type Agent = Partial<CreatePersonaInput> & { scopes?: Scope[] };

async function agent({ scopes = ["read", "run"], permissionMode = "mutating-with-confirm", ...policy }: Agent = {}) {
  const persona = await createPersona(admin.ctx, { name: `Persona ${newId()}`, permissionMode, ...policy });
  return createToken(owner.ctx, { name: "agent", scopes, persona: persona.id });
}

const opened: Client[] = [];
afterAll(detachClients);
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()));
});

type Ask = (message: string) => ElicitResult;

/** `ask`: the person's answer to a form; a client without it declares no elicitation. */
async function connect(token: string, ask?: Ask) {
  const client = new Client(
    { name: "test-client", version: "1.2.3" },
    { capabilities: ask === undefined ? {} : { elicitation: {} } },
  );
  if (ask !== undefined) client.setRequestHandler(ElicitRequestSchema, ({ params }) => ask(params.message));
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  opened.push(client);
  return { client, transport };
}

/** Resolves with the next notification of a kind. */
function nextOf<S extends Parameters<Client["setNotificationHandler"]>[0]>(client: Client, schema: S): Promise<void> {
  return new Promise((resolve) => client.setNotificationHandler(schema, () => resolve()));
}

async function nextLease() {
  const { leases } = await worker.say({ slots: 1, waitSeconds: 20 });
  const [lease] = leases;
  if (lease === undefined) throw new Error("no run came");
  return lease;
}

async function raw(method: string, init: { token?: string; body?: unknown; headers?: Record<string, string> } = {}) {
  const { token, body, headers = {} } = init;
  return fetch(`${url}/mcp`, {
    method,
    headers: {
      accept: "application/json, text/event-stream",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

test("an agent is told of the tools its persona permits, with their schema and what they do", async () => {
  const { token } = await agent();
  const { client } = await connect(token);
  expect(client.getServerVersion()?.name).toBe("skillgate");
  expect(client.getServerCapabilities()).toMatchObject({
    tools: { listChanged: true },
    extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } },
  });
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["use_skill", "read_skill_file", "list_skills", "get_run", "echo_args"]),
  );
  expect(names).toContain("change_it");
  expect(names).not.toContain("break_it");
  const echo = tools.find(({ name }) => name === "echo_args");
  expect(echo?.inputSchema).toMatchObject({ type: "object", required: ["text"] });
  expect(echo?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
});

test("a run answers with the skill’s own JSON, and its log and progress arrive while it is under way", async () => {
  const { token } = await agent();
  const { client } = await connect(token);
  const [said, steps]: [unknown[], number[]] = [[], []];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void said.push(params));
  const answered = client.callTool({ name: "echo_args", arguments: { text: "hi" } }, undefined, {
    onprogress: ({ progress }) => void steps.push(progress),
  });
  const { runId, fence } = await nextLease();
  const at = new Date().toISOString();
  const items = [1, 2].map((seq) => ({ seq, at, stream: "stderr" as const, text: `line ${seq}` }));
  await worker.say({ holding: [{ runId, fence }], events: [{ runId, fence, items }] });
  const result = { z: 1, a: [{ b: null }] };
  await worker.complete({ runId, fence } as never, { result });
  const answer = await answered;
  expect(answer.isError).toBe(false);
  expect(answer.content).toEqual([
    { type: "text", text: JSON.stringify(result) },
    { type: "text", text: expect.stringContaining("line 2") },
  ]);
  expect(answer.structuredContent).toMatchObject({ runId, state: "succeeded", result });
  expect(said).toEqual([1, 2].map((seq) => ({ level: "info", logger: "echo_args", data: `line ${seq}` })));
  expect(steps).toEqual([1, 2]);
});

test("a client that wants warnings only hears no lines of a run", async () => {
  const { token } = await agent();
  const { client } = await connect(token);
  const said: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void said.push(params));
  await client.setLoggingLevel("warning");
  const answered = client.callTool({ name: "echo_args", arguments: { text: "hi" } });
  const { runId, fence } = await nextLease();
  const item = { seq: 1, at: new Date().toISOString(), stream: "stderr" as const, text: "quiet" };
  await worker.say({ holding: [{ runId, fence }], events: [{ runId, fence, items: [item] }] });
  await worker.complete({ runId, fence } as never, {});
  await answered;
  expect(said).toEqual([]);
});

test("a playbook limits the tools that may be called until another one is loaded", async () => {
  const { token } = await agent();
  const { client } = await connect(token);
  const loaded = await client.callTool({
    name: "use_skill",
    arguments: { name: "tidy-notes", arguments: "a.md Mara" },
  });
  expect(JSON.stringify(loaded.content)).toContain("Tidy a.md for Mara.");
  const refused = await client.callTool({ name: "echo_args", arguments: { text: "hi" } });
  expect(refused).toMatchObject({ isError: true, structuredContent: { code: "forbidden", rule: "allowed-tools" } });
});

test.each([
  ["what the persona does not permit", "break_it"],
  ["a name in another case", "Echo_Args"],
  ["what is not there", "no_such_tool"],
])("%s is refused as an answer", async (_what, name) => {
  const { token } = await agent();
  const { client } = await connect(token);
  expect(await client.callTool({ name, arguments: { text: "x" } })).toMatchObject({ isError: true });
});

test("arguments that do not fit are an answer that names the place", async () => {
  const { token } = await agent();
  const { client } = await connect(token);
  const answer = await client.callTool({ name: "echo_args", arguments: { text: 7 } });
  expect(answer).toMatchObject({ isError: true, structuredContent: { code: "invalid" } });
  expect(JSON.stringify(answer.structuredContent)).toContain("text");
});

const accept = (confirm: boolean): ElicitResult => ({ action: "accept", content: { confirm } });

test("a personal token is listed what changes things only where its person can be asked, and no answer asks for more", async () => {
  const { token } = await createToken(owner.ctx, { name: "mine", scopes: ["read", "run"] });
  const { client } = await connect(token);
  const names = async (one: Client) => (await one.listTools()).tools.map(({ name }) => name);
  expect(await names(client)).toEqual(expect.arrayContaining(["echo_args", "use_skill"]));
  expect(await names(client)).not.toContain("change_it");
  const everywhere = [await client.listResources(), await client.request({ method: "skills/list" }, z.looseObject({}))];
  expect(JSON.stringify(everywhere)).not.toContain("change_it");
  for (const [name, args] of [
    ["change_it", { text: "x" }],
    ["use_skill", { name: "change_it" }],
  ] as const) {
    const refused = await client.callTool({ name, arguments: args });
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: "confirmation_required" } });
    expect(JSON.stringify(refused.content)).not.toContain("confirm: true");
  }
  const asking = await connect(token, () => accept(false));
  expect(await names(asking.client)).toContain("change_it");
});

test("a run that a person has to confirm starts when they tick the box, and at no other answer", async () => {
  const { token } = await createToken(owner.ctx, { name: "mine", scopes: ["read", "run"] });
  const asked: string[] = [];
  let answer: ElicitResult = { action: "decline" };
  const { client } = await connect(token, (message) => {
    asked.push(message);
    return answer;
  });
  const call = () => client.callTool({ name: "change_it", arguments: { text: "to be seen" } });
  const runs = () => database.reader.run.count({ where: { skillId: skills.change } });
  const before = await runs();
  for (const no of [
    { action: "decline" },
    { action: "cancel" },
    accept(false),
    { action: "accept" },
  ] as ElicitResult[]) {
    answer = no;
    const refused = await call();
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: "confirmation_required" } });
  }
  expect(await runs()).toBe(before);
  answer = accept(true);
  const answered = call();
  await worker.complete(await nextLease(), { result: { changed: true } });
  expect(await answered).toMatchObject({ isError: false, structuredContent: { result: { changed: true } } });
  expect(asked).toHaveLength(5);
  expect(asked[0]).toMatch(/^Run “change_it”\? .*mutating[\s\S]*to be seen/);
  expect(asked[0]).not.toContain("confirm: true");
});

test("a caller can call every listed built-in, as a person and in each mode of a persona", async () => {
  const folder = "lib/worker/builtins";
  const files = readdirSync(folder).filter((file) => /^[a-z_]+\.ts$/.test(file));
  for (const file of files) {
    const [, riskClass = ""] = /class: "([a-z]+)"/.exec(readFileSync(`${folder}/${file}`, "utf8")) ?? [];
    await approved(packFiles({ name: file.slice(0, -3), manifest: { class: riskClass } }));
  }
  const names = new Set(files.map((file) => file.slice(0, -3)));
  const callers: [string, { token: string }, Ask?][] = [
    ["person", await createToken(owner.ctx, { name: "plain", scopes: ["read", "run"] })],
    [
      "person who is asked",
      await createToken(owner.ctx, { name: "asked", scopes: ["read", "run"] }),
      () => accept(true),
    ],
  ];
  for (const mode of ["read-only", "mutating-with-confirm", "dual-sign-required"] as const) {
    callers.push([mode, await agent({ permissionMode: mode })]);
  }
  const listed: Record<string, number> = {};
  for (const [who, { token }, ask] of callers) {
    const { client } = await connect(token, ask);
    const tools = (await client.listTools()).tools.filter(({ name }) => names.has(name));
    listed[who] = tools.length;
    for (const { name, annotations } of tools) {
      const answered = client.callTool({ name, arguments: { text: "x" } });
      const starts = annotations?.readOnlyHint === true || ask !== undefined;
      if (starts) await worker.complete(await nextLease(), { result: {} });
      const { isError, structuredContent } = await answered;
      expect([isError, z.object({ state: z.string() }).parse(structuredContent).state], `${name} for ${who}`).toEqual([
        false,
        starts ? "succeeded" : "awaiting_approval",
      ]);
    }
  }
  expect(listed["person who is asked"]).toBe(files.length);
  expect(listed.person).toBe(listed["read-only"]);
  expect(listed.person).toBeLessThan(files.length);
}, 120_000);

test("a read-only agent is told of nothing that changes things, by any list or address", async () => {
  const { token } = await agent({ permissionMode: "read-only" });
  const { client } = await connect(token);
  const seen = JSON.stringify([
    await client.listTools(),
    await client.listResources(),
    await client.listPrompts(),
    await client.request({ method: "skills/list" }, z.looseObject({})),
    await client.callTool({ name: "list_skills", arguments: {} }),
    await client.complete({
      ref: { type: "ref/resource", uri: "skill://{name}/{+path}" },
      argument: { name: "name", value: "" },
    }),
  ]);
  expect(seen).toContain("echo_args");
  expect(seen).not.toMatch(/change_it|break_it/);
  for (const name of ["change_it", "break_it"]) {
    expect(await client.callTool({ name: "use_skill", arguments: { name } })).toMatchObject({
      isError: true,
      structuredContent: { code: "forbidden", rule: "persona-mode" },
    });
    await expect(client.readResource({ uri: `skill://${name}/skill.json` })).rejects.toMatchObject({ code: -32602 });
  }
});

test("a run that waits for people is answered at once, and get_run tells what became of it", async () => {
  const { token } = await agent();
  const { client } = await connect(token);
  const parked = await client.callTool({ name: "change_it", arguments: { text: "hi" } });
  expect(parked).toMatchObject({ isError: false, structuredContent: { state: "awaiting_approval" } });
  const { runId } = z.object({ runId: z.string() }).parse(parked.structuredContent);
  await decideRun(reviewer.ctx, runId, { decision: "reject", comment: "Not today." });
  const later = await client.callTool({ name: "get_run", arguments: { id: runId } });
  expect(later.structuredContent).toMatchObject({ state: "rejected" });
});

test("a cancelled call cancels its run", async () => {
  const { token } = await agent();
  const { client } = await connect(token);
  const stop = new AbortController();
  const answered = client.callTool({ name: "echo_args", arguments: { text: "x" } }, undefined, { signal: stop.signal });
  const { runId, fence } = await nextLease();
  stop.abort("changed my mind");
  await expect(answered).rejects.toThrow();
  const { cancel } = await worker.say({ holding: [{ runId, fence }], waitSeconds: 20 });
  expect(cancel.map((one) => one.runId)).toEqual([runId]);
  await worker.complete({ runId, fence } as never, { error: { code: "cancelled", message: "stopped" }, result: null });
});

test("a client that hangs up cancels its run, unless the call was detached", async () => {
  const { token } = await agent();
  const [first, second] = [await connect(token), await connect(token)];
  const lost = first.client.callTool({ name: "echo_args", arguments: { text: "x" } });
  lost.catch(() => {});
  const one = await nextLease();
  await first.client.close();
  const held = { holding: [{ runId: one.runId, fence: one.fence }], waitSeconds: 20 };
  expect((await worker.say(held)).cancel.map(({ runId }) => runId)).toEqual([one.runId]);
  await worker.complete(one, { error: { code: "cancelled", message: "stopped" }, result: null });

  const detached = second.client.callTool({
    name: "echo_args",
    arguments: { text: "x" },
    _meta: { "skillgate/detach": true },
  });
  detached.catch(() => {});
  const other = await nextLease();
  await second.client.close();
  await worker.complete(other, { result: { done: true } });
  expect(await waitForRun(owner.ctx, other.runId, 20)).toMatchObject({ state: "succeeded", result: { done: true } });
});

test("a client hears that its lists changed when a skill is switched off, and on again", async () => {
  const { token } = await agent();
  const { client } = await connect(token);
  const [tools, resources] = [ToolListChangedNotificationSchema, ResourceListChangedNotificationSchema];
  const told = Promise.all([nextOf(client, tools), nextOf(client, resources)]);
  await updateSkill(owner.ctx, skills.echo, { enabled: false });
  await told;
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("echo_args");
  const again = nextOf(client, tools);
  await updateSkill(owner.ctx, skills.echo, { enabled: true });
  await again;
  const prompts = nextOf(client, PromptListChangedNotificationSchema);
  await updateSkill(owner.ctx, skills.notes, { enabled: false });
  await prompts;
  await updateSkill(owner.ctx, skills.notes, { enabled: true });
});

test("each skill is a resource, and skills/list has a digest for each of its files", async () => {
  const { token } = await agent();
  const { client } = await connect(token);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain("skill://tidy-notes/SKILL.md");
  expect((await client.listResourceTemplates()).resourceTemplates[0]?.uriTemplate).toBe("skill://{name}/{+path}");
  const Manifest = z.object({
    uri: z.string(),
    frontmatter: z.looseObject({ name: z.string() }),
    resources: z.array(z.object({ uri: z.string(), digest: z.string(), size: z.number() })),
  });
  const { skills: listed } = await client.request(
    { method: "skills/list", params: {} },
    z.object({ skills: z.array(Manifest) }),
  );
  const notes = listed.find(({ frontmatter }) => frontmatter.name === "tidy-notes");
  expect(notes?.uri).toBe("skill://tidy-notes/SKILL.md");
  expect(notes?.frontmatter).toMatchObject({ "allowed-tools": "Read" });
  expect(notes?.resources.map(({ uri }) => uri)).toEqual([
    "skill://tidy-notes/SKILL.md",
    "skill://tidy-notes/references/style.md",
  ]);
  for (const { uri, digest, size } of notes?.resources ?? []) {
    const { contents } = await client.readResource({ uri });
    const bytes = text(z.object({ text: z.string() }).parse(contents[0]).text);
    expect([`sha256:${sha256Hex(bytes)}`, bytes.length]).toEqual([digest, size]);
  }
  const one = await client.request(
    { method: "skills/get", params: { uri: "skill://tidy-notes/SKILL.md" } },
    z.object({ skill: Manifest }),
  );
  expect(one.skill).toEqual(notes);
  const Folder = z.object({ resources: z.array(z.object({ uri: z.string(), mimeType: z.string() })) });
  const folder = await client.request(
    { method: "resources/directory/read", params: { uri: "skill://tidy-notes" } },
    Folder,
  );
  expect(folder.resources).toEqual([
    expect.objectContaining({ uri: "skill://tidy-notes/references", mimeType: "inode/directory" }),
    expect.objectContaining({ uri: "skill://tidy-notes/SKILL.md", mimeType: "text/markdown" }),
  ]);
});

test("a SKILL.md that clients refuse is handed out as one that they load, with the digests of those bytes", async () => {
  const { token } = await agent();
  const long = `Use when: ${"notes ".repeat(400).trim()}`;
  const reference = { path: "references/more.md", mode: "644" as const, bytes: text(REFERENCE) };
  const wordy = playbookFiles({ name: "wordy-one", description: long, more: "when_to_use: After a meeting.\n" });
  const spaced = playbookFiles({ name: "Spaced Name", more: "tags: [a, b]\n" });
  const ids = [await approved([...wordy, reference]), await approved(spaced)];
  const { client } = await connect(token);
  const Manifest = z.object({
    uri: z.string(),
    frontmatter: z.looseObject({ name: z.string(), description: z.string() }),
    resources: z.array(z.object({ uri: z.string(), digest: z.string(), size: z.number() })),
  });
  const { skills: listed } = await client.request(
    { method: "skills/list", params: {} },
    z.object({ skills: z.array(Manifest) }),
  );
  const found = listed.filter(({ uri }) => ["wordy-one", "spaced-name"].some((name) => uri.includes(name)));
  expect(found.map(({ uri }) => uri)).toEqual(["skill://spaced-name/SKILL.md", "skill://wordy-one/SKILL.md"]);
  for (const skill of listed) {
    const folder = skill.uri.split("/").at(-2) ?? "";
    expect(skill.frontmatter.name).toBe(folder);
    for (const { uri, digest, size } of skill.resources) {
      const { contents } = await client.readResource({ uri });
      const bytes = text(z.object({ text: z.string() }).parse(contents[0]).text);
      expect([uri, `sha256:${sha256Hex(bytes)}`, bytes.length]).toEqual([uri, digest, size]);
      if (uri !== skill.uri) continue;
      const { manifest } = readSkill([{ path: "SKILL.md", mode: "644", bytes }], { folder });
      expect(parse(new TextDecoder().decode(bytes).split("---")[1] ?? "")).toEqual(skill.frontmatter);
      expect(validateStrict(folder, [{ path: "SKILL.md", mode: "644", bytes }]).map(({ code }) => code)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/description|name|yaml|fence/)]),
      );
      // The description is shortened at the top level and complete under metadata.
      if (folder === "wordy-one") expect(manifest.description).toBe(long);
    }
  }
  expect([...(found[1]?.frontmatter.description ?? "")].length).toBeLessThanOrEqual(1_024);
  const one = await client.request(
    { method: "skills/get", params: { uri: "skill://spaced-name/SKILL.md" } },
    z.object({ skill: Manifest }),
  );
  expect(one.skill).toEqual(found[0]);
  const resource = (await client.listResources()).resources.find(({ uri }) => uri === "skill://wordy-one/SKILL.md");
  expect(resource?.description?.length).toBeLessThanOrEqual(1_024);
  for (const id of ids) await updateSkill(owner.ctx, id, { enabled: false });
});

test.each([
  "skill://tidy-notes/../echo_args/skill.json",
  "skill://tidy-notes/%2e%2e/echo_args/skill.json",
  "skill://tidy-notes/references%2Fstyle.md",
  "skill://tidy-notes//etc/passwd",
  "skill://tidy-notes/",
  "skill://nobody/SKILL.md",
  "file:///etc/passwd",
])("%s is not read", async (uri) => {
  const { token } = await agent();
  const { client } = await connect(token);
  await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
});

test("what the persona’s lists keep away is in none of the lists and cannot be had by name", async () => {
  const { token } = await agent({ deny: ["tidy-*", "echo_args"] });
  const { client } = await connect(token);
  const seen = JSON.stringify([await client.listTools(), await client.listResources(), await client.listPrompts()]);
  expect(seen).not.toMatch(/tidy-notes|echo_args/);
  await expect(client.readResource({ uri: "skill://tidy-notes/SKILL.md" })).rejects.toMatchObject({ code: -32602 });
  await expect(client.getPrompt({ name: "tidy-notes" })).rejects.toMatchObject({ code: -32602 });
  expect(await client.callTool({ name: "use_skill", arguments: { name: "tidy-notes" } })).toMatchObject({
    isError: true,
  });
});

test("playbooks are prompts with their arguments, also those that only people start", async () => {
  const { token } = await agent();
  const { client } = await connect(token);
  const { prompts } = await client.listPrompts();
  const notes = prompts.find(({ name }) => name === "tidy-notes");
  expect(notes?.arguments?.map(({ name }) => name)).toEqual(["file", "reader"]);
  const { messages } = await client.getPrompt({ name: "tidy-notes", arguments: { file: "a b.md", reader: "Mara" } });
  expect(JSON.stringify(messages)).toContain("Tidy a b.md for Mara.");
  for (const file of [`it's "here" $(x)`, '"', "'", "C:\\a\\", 'a"b', "two\nlines"]) {
    const { messages: filled } = await client.getPrompt({ name: "tidy-notes", arguments: { file, reader: "Mara" } });
    expect(filled[0]?.content).toMatchObject({ text: expect.stringContaining(`Tidy ${file} for Mara.`) });
  }
  await client.getPrompt({ name: "by-hand" });
  expect(await client.callTool({ name: "use_skill", arguments: { name: "by-hand" } })).toMatchObject({ isError: true });
});

test("what only people start is in no list and cannot be read before its prompt was asked for in the session", async () => {
  const { token } = await agent();
  const [{ client }, { client: other }] = [await connect(token), await connect(token)];
  const uri = "skill://by-hand/SKILL.md";
  const ask = (of: typeof client, method: string, at?: string) =>
    of.request({ method, params: at === undefined ? {} : { uri: at } }, z.looseObject({}));
  const readings = (of: typeof client) => [
    of.readResource({ uri }),
    ask(of, "skills/get", uri),
    ask(of, "resources/directory/read", "skill://by-hand"),
  ];
  const ref = { type: "ref/resource" as const, uri: "skill://{name}/{+path}" };
  const named = { ref, argument: { name: "name", value: "by" } };
  const paths = { ref, argument: { name: "path", value: "" }, context: { arguments: { name: "by-hand" } } };
  const read = { name: "read_skill_file", arguments: { path: "skills/by-hand/SKILL.md" } };
  const isKept = async (of: typeof client) => {
    const refused = { status: "rejected", reason: expect.objectContaining({ code: -32602 }) };
    expect(await Promise.allSettled(readings(of))).toMatchObject([refused, refused, refused]);
    expect(await of.callTool(read)).toMatchObject({
      isError: true,
      structuredContent: { code: "forbidden", rule: "model-invocation" },
    });
    expect((await of.complete(paths)).completion.values).toEqual([]);
  };
  await isKept(client);
  await client.getPrompt({ name: "by-hand" });
  await Promise.all(readings(client));
  expect(await client.callTool(read)).toMatchObject({ isError: false });
  expect((await client.complete(paths)).completion.values).toEqual(["SKILL.md"]);
  await isKept(other);
  for (const of of [client, other]) {
    const lists = [await of.listResources(), await ask(of, "skills/list"), await of.complete(named)];
    expect(JSON.stringify(lists)).not.toContain("by-hand");
  }
});

test("names of skills and paths of their files are completed", async () => {
  const { token } = await agent();
  const { client } = await connect(token);
  const ref = { type: "ref/resource" as const, uri: "skill://{name}/{+path}" };
  const names = await client.complete({ ref, argument: { name: "name", value: "tidy" } });
  expect(names.completion.values).toEqual(["tidy-notes"]);
  const context = { arguments: { name: "tidy-notes" } };
  const paths = await client.complete({ ref, argument: { name: "path", value: "ref" }, context });
  expect(paths.completion.values).toEqual(["references/style.md"]);
});

test("each method answers -32602 with a sentence to invalid parameters", async () => {
  const { token } = await agent();
  const { client, transport } = await connect(token);
  const bad = { uri: 7, name: 7, arguments: "x", cursor: 7, level: "loud", ref: { type: "ref/none" } };
  const methods = {
    "tools/call": "name",
    "resources/read": "uri",
    "resources/directory/read": "uri",
    "prompts/get": "name",
    "completion/complete": "ref",
    "skills/get": "uri",
    "logging/setLevel": "level",
  };
  for (const [method, needed] of Object.entries(methods)) {
    for (const params of [undefined, {}, bad]) {
      const message = /^MCP error -32602: [^{}]*params[^{}]*\.$/;
      const asked = client.request({ method, ...(params && { params }) } as never, z.looseObject({}));
      await expect(asked, `${method} ${JSON.stringify(params)}`).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(message),
      });
      if (params !== bad) await expect(asked).rejects.toThrow(`params${params ? `.${needed}` : ""}`);
    }
  }
  for (const method of ["tools/list", "resources/list", "prompts/list", "skills/list"]) {
    const asked = client.request({ method, params: { cursor: 7 } } as never, z.looseObject({}));
    await expect(asked, method).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("params.cursor"),
    });
  }
  expect(transport.sessionId).toBeDefined();
  const opening = await raw("POST", { token, body: { jsonrpc: "2.0", id: 4, method: "initialize", params: {} } });
  expect([opening.status, await opening.json()]).toMatchObject([400, { id: 4, error: { code: -32602 } }]);
});

test("64 clients at once each have a session of their own", async () => {
  const { token } = await agent();
  const clients = await Promise.all(Array.from({ length: 64 }, () => connect(token)));
  expect(new Set(clients.map(({ transport }) => transport.sessionId)).size).toBe(64);
  await Promise.all(
    clients.map(async ({ client }, index) => {
      if (index % 2 === 0) await client.callTool({ name: "use_skill", arguments: { name: "tidy-notes" } });
    }),
  );
  const asked = await Promise.all(
    clients.map(({ client }) => client.callTool({ name: "echo_args", arguments: { text: 7 } })),
  );
  const codes = asked.map(({ structuredContent }) => z.object({ code: z.string() }).parse(structuredContent).code);
  expect(codes).toEqual(clients.map((_client, index) => (index % 2 === 0 ? "forbidden" : "invalid")));
}, 120_000);

test("a session belongs to the token that opened it, ends when asked to, and is forgotten by a restart", async () => {
  const [mine, other] = [await agent(), await agent()];
  const { transport } = await connect(mine.token);
  const headers = { "mcp-session-id": transport.sessionId ?? "" };
  expect((await raw("POST", { token: other.token, body: PING, headers })).status).toBe(404);
  expect((await raw("POST", { token: mine.token, body: PING, headers })).status).toBe(200);
  await transport.terminateSession();
  expect((await raw("POST", { token: mine.token, body: PING, headers })).status).toBe(404);

  const again = await connect(mine.token);
  const id = again.transport.sessionId ?? "";
  await detachClients();
  expect((await raw("POST", { token: mine.token, body: PING, headers: { "mcp-session-id": id } })).status).toBe(404);
});

test("a token that was revoked is refused from its next request on, and its session ends", async () => {
  const { token, id } = await agent();
  const { transport } = await connect(token);
  const session = transport.sessionId ?? "";
  expect(allSessions().has(session)).toBe(true);
  await revokeToken(owner.ctx, id);
  const headers = { "mcp-session-id": session };
  expect((await raw("POST", { token, body: PING, headers })).status).toBe(401);
  await expect
    .poll(async () => {
      await checkListeners({ all: true });
      return allSessions().has(session);
    })
    .toBe(false);
});

test("who sends no token learns where to get one", async () => {
  const response = await raw("POST", { body: PING });
  expect(response.status).toBe(401);
  const challenge = response.headers.get("www-authenticate") ?? "";
  expect(challenge).toMatch(/^Bearer resource_metadata="[^"]+\/mcp", scope="read run"$/);
  const address = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "";
  expect(await (await fetch(address)).json()).toMatchObject({ resource: `${url}/mcp`, authorization_servers: [url] });
  const bad = await raw("POST", { token: `sgt_${"x".repeat(43)}`, body: PING });
  expect(bad.headers.get("www-authenticate")).toContain('error="invalid_token"');
});

test("a page of another site is refused, even when it calls this server by its own name", async () => {
  const { token } = await agent();
  const origin = "http://evil.example";
  expect((await raw("POST", { token, body: PING, headers: { origin } })).status).toBe(403);
  const refused = await database.reader.auditEvent.findFirst({
    where: { action: "request.refuse" },
    orderBy: { seq: "desc" },
  });
  expect(refused?.summary).toContain("POST /mcp (cross_origin)");
  expect((await raw("POST", { token, body: PING, headers: { origin: url } })).status).toBe(400);
});

test.each<[string, unknown, number]>([
  ["no session", PING, 400],
  ["no JSON-RPC", { nonsense: true }, 400],
])("a body with %s is refused", async (_what, body, status) => {
  const { token } = await agent();
  expect((await raw("POST", { token, body })).status).toBe(status);
});

test("a client signs a person in by browser, and acts under the persona they chose", async () => {
  const persona = await createPersona(admin.ctx, { name: "Chosen in the browser", permissionMode: "read-only" });
  const browser = await browserOf(database, owner.id);
  const kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; page?: URL } = {};
  const authProvider: OAuthClientProvider = {
    redirectUrl: "http://127.0.0.1:39999/callback",
    clientMetadata: { client_name: "Official client", redirect_uris: ["http://127.0.0.1:39999/callback"] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (page) => void Object.assign(kept, { page }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier ?? "",
  };
  const transport = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider });
  const first = transport();
  await expect(new Client({ name: "c", version: "1" }).connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
  const page = kept.page ?? new URL("http://none.invalid");
  expect(page.origin + page.pathname).toBe(`${url}/oauth/authorize`);
  const decided = await fetch(`${url}/api/oauth/consent`, {
    method: "POST",
    headers: { ...browser, "content-type": "application/json" },
    body: JSON.stringify({
      decision: "allow",
      persona: persona.id,
      request: Object.fromEntries(page.searchParams),
    }),
  });
  const { returnTo } = z.object({ returnTo: z.string() }).parse(await decided.json());
  await first.finishAuth(new URL(returnTo).searchParams.get("code") ?? "");

  const signedIn = new Client({ name: "c", version: "1" });
  opened.push(signedIn);
  await signedIn.connect(transport());
  const names = (await signedIn.listTools()).tools.map(({ name }) => name);
  expect(names).toContain("echo_args");
  expect(names).not.toContain("change_it");
});
