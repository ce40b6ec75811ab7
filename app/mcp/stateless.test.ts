import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { detachClients } from "@/lib/agent/mcp/handle-mcp";
import { openQuestion, sealQuestion } from "@/lib/agent/mcp/stateless/request-state";
import { checkListeners } from "@/lib/agent/mcp/watch-offers";
import { revokeToken } from "@/lib/auth/tokens/tokens";
import { waitForRun } from "@/lib/runner/runs/get-run";
import { updateSkill } from "@/lib/skills/edit-skills";
import { listeningServer } from "@/lib/testing/listening-server";
import { packFiles, playbookFiles } from "@/lib/testing/sample-packs";
import { skillPeople } from "@/lib/testing/skill-people";
import { testServer } from "@/lib/testing/test-server";
import { testWorker } from "@/lib/testing/test-worker";
import { ROUTE_TABLE } from "../api/testing/route-table";

const VERSION = "2026-07-28";
const PREFIX = "io.modelcontextprotocol/";

const { person, database } = await testServer(ROUTE_TABLE);
const url = await listeningServer(ROUTE_TABLE);
const worker = await testWorker(database);
await worker.say({});
afterAll(detachClients);

const { owner, approved, agent, personal } = await skillPeople({ database, person });

const skills = {
  echo: await approved(packFiles({ name: "echo_args" })),
  change: await approved(packFiles({ name: "change_it", manifest: { class: "mutating" } })),
  notes: await approved(playbookFiles({ name: "tidy-notes", more: 'allowed-tools: "Read"\n' })),
};

type Asked = {
  method: string;
  params?: Record<string, unknown>;
  meta?: Record<string, unknown>;
  headers?: Record<string, string | null>;
  id?: string | number | null;
  signal?: AbortSignal;
};

const META = { [`${PREFIX}protocolVersion`]: VERSION, [`${PREFIX}clientCapabilities`]: {} };
const FORMS = { [`${PREFIX}clientCapabilities`]: { elicitation: {} } };

let ids = 0;

/** One request as a client of this revision sends it; null leaves a header out, or the id. */
async function send(token: string, { method, params = {}, meta = {}, headers = {}, id = ++ids, signal }: Asked) {
  const name = params.name ?? params.uri;
  const all: Record<string, string | null> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${token}`,
    "mcp-protocol-version": VERSION,
    "mcp-method": method,
    "mcp-name": typeof name === "string" && /^(tools\/call|prompts\/get|resources\/read)$/.test(method) ? name : null,
    ...headers,
  };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  const message = {
    jsonrpc: "2.0",
    ...(id === null ? {} : { id }),
    method,
    params: { ...params, _meta: { ...META, ...meta } },
  };
  return fetch(`${url}/mcp`, {
    method: "POST",
    headers: sent,
    body: JSON.stringify(message),
    ...(signal ? { signal } : {}),
  });
}

const Answer = z.object({
  result: z.looseObject({ resultType: z.string() }).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});

async function ask(token: string, asked: Asked) {
  const response = await send(token, asked);
  return { status: response.status, ...Answer.parse(await response.json()) };
}

async function nextLease() {
  const [lease] = (await worker.say({ slots: 1, waitSeconds: 20 })).leases;
  if (lease === undefined) throw new Error("no run came");
  return lease;
}

/** The messages of a stream of server-sent events, as they come. */
async function* messagesOf(response: Response) {
  let text = "";
  for await (const chunk of (response.body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream())) {
    const parts = (text + chunk).split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data !== undefined)
        yield z.looseObject({ method: z.string().optional(), params: z.unknown().optional() }).parse(JSON.parse(data));
    }
  }
}

test("a client learns versions, capabilities and extensions without a session", async () => {
  const { token } = await agent();
  const sessions = await database.reader.agentSession.count();
  const { status, result } = await ask(token, { method: "server/discover" });
  expect(status).toBe(200);
  expect(result).toMatchObject({
    resultType: "complete",
    supportedVersions: expect.arrayContaining([VERSION, "2025-11-25"]),
    capabilities: { tools: { listChanged: true }, extensions: { [`${PREFIX}skills`]: { directoryRead: true } } },
    instructions: expect.stringContaining("use_skill"),
    ttlMs: expect.any(Number),
    cacheScope: "private",
    _meta: { [`${PREFIX}serverInfo`]: { name: "skillgate" } },
  });
  expect(await database.reader.agentSession.count()).toBe(sessions);
});

test.each(["tools/list", "prompts/list", "resources/list", "resources/templates/list", "skills/list"])(
  "%s is a complete result that is read again before each use, except for the template",
  async (method) => {
    const { token } = await agent();
    const { result } = await ask(token, { method });
    expect(result).toMatchObject({ resultType: "complete", cacheScope: "private" });
    expect(result?.ttlMs).toBe(method === "resources/templates/list" ? 3_600_000 : 0);
    const wrong = await ask(token, { method, params: { cursor: 7 } });
    expect(wrong.error?.code ?? (method === "resources/templates/list" ? -32602 : 0)).toBe(-32602);
  },
);

test("content is read anew each time, since an approval may be withdrawn", async () => {
  const { token } = await agent();
  const uri = "skill://tidy-notes/SKILL.md";
  const read = await ask(token, { method: "resources/read", params: { uri } });
  expect(read.result).toMatchObject({
    ttlMs: 0,
    cacheScope: "private",
    contents: [{ uri, mimeType: "text/markdown" }],
  });
  expect((await ask(token, { method: "skills/get", params: { uri } })).result).toMatchObject({ ttlMs: 0 });
  const missing = await ask(token, { method: "resources/read", params: { uri: "skill://nobody/SKILL.md" } });
  expect(missing).toMatchObject({ status: 200, error: { code: -32602, data: { uri: "skill://nobody/SKILL.md" } } });
});

const without = (key: string) => ({ [PREFIX + key]: undefined });
test.each<[string, Asked, number, number]>([
  ["no _meta version", { method: "tools/list", meta: without("protocolVersion") }, 400, -32602],
  ["no capabilities", { method: "tools/list", meta: without("clientCapabilities") }, 400, -32602],
  ["a nameless client", { method: "tools/list", meta: { [`${PREFIX}clientInfo`]: { version: "1" } } }, 400, -32602],
  ["no version header", { method: "tools/list", headers: { "mcp-protocol-version": null } }, 400, -32020],
  ["another version header", { method: "tools/list", headers: { "mcp-protocol-version": "2025-11-25" } }, 400, -32020],
  [
    "an unknown version",
    {
      method: "tools/list",
      meta: { [`${PREFIX}protocolVersion`]: "1900-01-01" },
      headers: { "mcp-protocol-version": "1900-01-01" },
    },
    400,
    -32022,
  ],
  ["no method header", { method: "tools/list", headers: { "mcp-method": null } }, 400, -32020],
  ["a method header in other case", { method: "tools/list", headers: { "mcp-method": "Tools/list" } }, 400, -32020],
  [
    "no name header",
    { method: "tools/call", params: { name: "echo_args" }, headers: { "mcp-name": null } },
    400,
    -32020,
  ],
  [
    "another name in the header",
    { method: "tools/call", params: { name: "echo_args" }, headers: { "mcp-name": "change_it" } },
    400,
    -32020,
  ],
  [
    "a name header that is no base64",
    { method: "tools/call", params: { name: "echo_args" }, headers: { "mcp-name": "=?base64?*?=" } },
    400,
    -32020,
  ],
  ["a method of older revisions", { method: "ping" }, 404, -32601],
  ["initialize", { method: "initialize" }, 404, -32601],
  ["logging/setLevel", { method: "logging/setLevel", params: { level: "info" } }, 404, -32601],
  ["a name of an object’s own", { method: "toString" }, 404, -32601],
  ["no tool name", { method: "tools/call" }, 200, -32602],
])("a request with %s is refused under its id", async (_what, asked, status, code) => {
  const { token } = await agent();
  const response = await send(token, { ...asked, id: "mine" });
  const body = z.looseObject({ error: z.looseObject({ data: z.unknown().optional() }) }).parse(await response.json());
  expect([response.status, body]).toMatchObject([status, { id: "mine", error: { code } }]);
  if (code === -32022) {
    expect(body.error.data).toEqual({ supported: expect.arrayContaining([VERSION]), requested: "1900-01-01" });
  }
});

test("a name may be sent in base64, and a notification is accepted", async () => {
  const { token } = await agent();
  const uri = "skill://tidy-notes/SKILL.md";
  const encoded = `=?base64?${Buffer.from(uri).toString("base64")}?=`;
  const read = await ask(token, { method: "resources/read", params: { uri }, headers: { "mcp-name": encoded } });
  expect(read.result).toBeDefined();
  expect((await send(token, { method: "notifications/cancelled", id: null })).status).toBe(202);
  const headers = { authorization: `Bearer ${token}`, "mcp-protocol-version": VERSION };
  for (const method of ["GET", "DELETE"]) expect((await fetch(`${url}/mcp`, { method, headers })).status).toBe(405);
  const batch = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: "[]" };
  expect(await (await fetch(`${url}/mcp`, batch)).json()).toMatchObject({ error: { code: -32600 } });
  expect(await (await fetch(`${url}/mcp`, { ...batch, body: "{" })).json()).toMatchObject({ error: { code: -32700 } });
});

test("a run answers as JSON, or on a stream once there is progress, and logs only for a client that asks for them", async () => {
  const { token } = await agent();
  const call = { method: "tools/call", params: { name: "echo_args", arguments: { text: "hi" } } };
  const run = async (meta: Record<string, unknown>) => {
    const answered = send(token, { ...call, meta });
    const { runId, fence } = await nextLease();
    const item = { seq: 1, at: new Date().toISOString(), stream: "stderr" as const, text: "one line" };
    await worker.say({ holding: [{ runId, fence }], events: [{ runId, fence, items: [item] }] });
    const response = answered;
    await worker.complete({ runId, fence } as never, { result: { done: true } });
    return response;
  };
  const plain = await run({});
  expect(plain.headers.get("content-type")).toContain("application/json");
  expect(await plain.json()).toMatchObject({
    result: { resultType: "complete", structuredContent: { state: "succeeded", result: { done: true } } },
  });
  const seen = async (meta: Record<string, unknown>) => {
    const methods: unknown[] = [];
    for await (const { method } of messagesOf(await run(meta))) methods.push(method ?? "answer");
    return methods;
  };
  expect(await seen({ progressToken: "p" })).toEqual(["notifications/progress", "answer"]);
  expect(await seen({ [`${PREFIX}logLevel`]: "info" })).toEqual(["notifications/message", "answer"]);
});

test("the result of a skill may be content blocks, such as a picture", async () => {
  const { token } = await agent();
  const picture = { type: "image", data: "aGk=", mimeType: "image/png" };
  const call = async (result: object) => {
    const answered = ask(token, { method: "tools/call", params: { name: "echo_args", arguments: { text: "x" } } });
    await worker.complete(await nextLease(), { result });
    return (await answered).result?.content;
  };
  expect(await call({ content: [picture] })).toEqual([picture]);
  for (const other of [{ content: [picture], more: 1 }, { content: [{ type: "link" }] }, { content: [] }]) {
    expect(await call(other)).toEqual([{ type: "text", text: JSON.stringify(other) }]);
  }
});

test("a playbook’s tool limit holds for the next request of the token", async () => {
  const { token } = await agent();
  const call = (name: string, args: object) => ask(token, { method: "tools/call", params: { name, arguments: args } });
  await call("use_skill", { name: "tidy-notes" });
  expect((await call("echo_args", { text: "hi" })).result).toMatchObject({
    isError: true,
    structuredContent: { rule: "allowed-tools" },
  });
  const other = await fetch(`${url}/api/agent/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  });
  const { id } = z.object({ id: z.string() }).parse(await other.json());
  const asked = { method: "tools/call", params: { name: "echo_args", arguments: { text: 7 } } };
  const apart = await ask(token, { ...asked, headers: { "x-agent-session": id } });
  expect(apart.result).toMatchObject({ structuredContent: { code: "invalid" } });
  const foreign = await ask((await agent()).token, { ...asked, headers: { "x-agent-session": id } });
  expect(foreign.error?.code).toBe(-32602);
});

const runs = () => database.reader.run.count({ where: { skillId: skills.change } });
const CHANGE = { method: "tools/call", params: { name: "change_it", arguments: { text: "to be seen" } } };

test("a run that a person confirms is asked about first, and starts once, with their yes and nothing else", async () => {
  const { token } = await personal();
  const before = await runs();
  const first = await ask(token, { ...CHANGE, meta: FORMS });
  const Question = z.object({
    resultType: z.literal("input_required"),
    inputRequests: z.object({ confirm: z.object({ method: z.string(), params: z.object({ message: z.string() }) }) }),
    requestState: z.string(),
  });
  const { inputRequests, requestState } = Question.parse(first.result);
  expect(inputRequests.confirm.method).toBe("elicitation/create");
  expect(inputRequests.confirm.params.message).toMatch(/^Run “change_it”\? [\s\S]*to be seen/);
  const retry = (answer: unknown, params: Record<string, unknown> = {}, by = token) => {
    const all = { ...CHANGE.params, requestState, inputResponses: { confirm: answer, unknown: {} }, ...params };
    return ask(by, { ...CHANGE, params: all, meta: FORMS });
  };
  const yes = { action: "accept", content: { confirm: true } };
  for (const no of [{ action: "decline" }, { action: "cancel" }, { action: "accept", content: { confirm: false } }]) {
    expect((await retry(no)).result).toMatchObject({ structuredContent: { code: "confirmation_required" } });
  }
  for (const unfit of [undefined, "yes", { action: "accept" }, { action: "accept", content: { confirm: "yes" } }]) {
    expect((await retry(unfit)).result).toMatchObject({ resultType: "input_required" });
  }
  expect((await retry(yes, { requestState: undefined })).result).toMatchObject({ resultType: "input_required" });
  for (const change of [
    { arguments: { text: "another" } },
    { name: "echo_args" },
    { requestState: `${requestState}A` },
  ]) {
    expect((await retry(yes, change)).error?.code, JSON.stringify(change)).toBe(-32602);
  }
  expect((await retry(yes, {}, (await personal()).token)).error?.code).toBe(-32602);
  expect(await runs()).toBe(before);
  const confirmed = retry(yes);
  await worker.complete(await nextLease(), { result: { changed: true } });
  expect((await confirmed).result).toMatchObject({ isError: false, structuredContent: { result: { changed: true } } });
  expect((await retry(yes)).error?.message).toContain("was used already");
  expect(await runs()).toBe(before + 1);
});

test("a client without forms is not shown such tools, unless its program confirms", async () => {
  const { token } = await personal();
  const names = async (meta: Record<string, unknown>) =>
    z
      .object({ tools: z.array(z.object({ name: z.string() })) })
      .parse((await ask(token, { method: "tools/list", meta })).result)
      .tools.map(({ name }) => name);
  expect(await names({})).not.toContain("change_it");
  expect(await names(FORMS)).toContain("change_it");
  expect(await ask(token, CHANGE)).toMatchObject({
    status: 400,
    error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } },
  });
  const confirms = { "skillgate/confirm": true };
  expect(await names(confirms)).toContain("change_it");
  const inArguments = { ...CHANGE, params: { ...CHANGE.params, arguments: { text: "x", confirm: true } } };
  expect((await ask(token, inArguments)).error?.code).toBe(-32021);
  const started = ask(token, { ...CHANGE, meta: confirms });
  await worker.complete(await nextLease(), { result: {} });
  expect((await started).result).toMatchObject({ isError: false });
  // A persona's runs wait for people, whatever the client says.
  const parked = await ask((await agent()).token, { ...CHANGE, meta: confirms });
  expect(parked.result).toMatchObject({ structuredContent: { state: "awaiting_approval" } });
});

test("a question holds for five minutes and for its exact bytes", async () => {
  const start = Date.now();
  const at = (minutes: number) => ({ ...owner.ctx, now: () => new Date(start + minutes * 60_000) });
  const args = { text: "x" };
  const tool = { name: "change_it" } as never;
  const question = { tool, args, reason: "", versionDigest: "d".repeat(64), class: "mutating" as const };
  const state = await sealQuestion(at(0), question);
  const open = (text: string, minutes = 0) => openQuestion(at(minutes), text, { name: "change_it", args });
  expect(await open(state, 4)).toMatchObject({ tool: "change_it", versionDigest: question.versionDigest });
  await expect(open(state, 5)).rejects.toThrow("older than five minutes");
  const bytes = Buffer.from(state, "base64url");
  for (const index of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    await expect(open(changed.toString("base64url")), `byte ${index}`).rejects.toThrow("belongs to another call");
  }
  for (const text of ["", "A", "not base64url"]) await expect(open(text)).rejects.toThrow("belongs to another call");
});

test("hanging up cancels the run, unless the call was detached", async () => {
  const { token } = await agent();
  const call = { method: "tools/call", params: { name: "echo_args", arguments: { text: "x" } } };
  const [hangUp, leave] = [new AbortController(), new AbortController()];
  send(token, { ...call, signal: hangUp.signal }).catch(() => {});
  const lost = await nextLease();
  hangUp.abort();
  const held = { holding: [{ runId: lost.runId, fence: lost.fence }], waitSeconds: 20 };
  expect((await worker.say(held)).cancel.map(({ runId }) => runId)).toEqual([lost.runId]);
  await worker.complete(lost, { error: { code: "cancelled", message: "stopped" }, result: null });

  send(token, { ...call, meta: { "skillgate/detach": true }, signal: leave.signal }).catch(() => {});
  const kept = await nextLease();
  leave.abort();
  await worker.complete(kept, { result: { done: true } });
  expect(await waitForRun(owner.ctx, kept.runId, 20)).toMatchObject({ state: "succeeded" });
});

test("a client that listens is told of the changes it asked for and of no others, until its token ends", async () => {
  const { token, id: tokenId } = await agent();
  const uri = "skill://tidy-notes/SKILL.md";
  const notifications = { promptsListChanged: true, resourceSubscriptions: [uri, "test://elsewhere"] };
  const response = await send(token, { method: "subscriptions/listen", params: { notifications }, id: "s1" });
  const messages = messagesOf(response);
  const next = async () => (await messages.next()).value;
  const tag = { [`${PREFIX}subscriptionId`]: "s1" };
  expect(await next()).toMatchObject({
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: { promptsListChanged: true, resourceSubscriptions: [uri] }, _meta: tag },
  });
  // A change of the tools is not what it asked for.
  await updateSkill(owner.ctx, skills.echo, { enabled: false });
  await checkListeners({ all: true });
  await updateSkill(owner.ctx, skills.echo, { enabled: true });
  await updateSkill(owner.ctx, skills.notes, { enabled: false });
  await checkListeners({ all: true });
  expect(await next()).toMatchObject({ method: "notifications/prompts/list_changed", params: { _meta: tag } });
  expect(await next()).toMatchObject({ method: "notifications/resources/updated", params: { uri, _meta: tag } });
  await updateSkill(owner.ctx, skills.notes, { enabled: true });
  await revokeToken(owner.ctx, tokenId);
  const last: unknown[] = [];
  await checkListeners({ all: true });
  for await (const message of messages) last.push(message);
  expect(last.at(-1)).toMatchObject({ id: "s1", result: { resultType: "complete", _meta: tag } });
});

test("a filter that does not fit is refused", async () => {
  const { token } = await agent();
  for (const params of [{}, { notifications: { toolsListChanged: 1 } }, { notifications: [] }]) {
    expect((await ask(token, { method: "subscriptions/listen", params })).error?.code).toBe(-32602);
  }
});
