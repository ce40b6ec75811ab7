import { randomBytes } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, expect, test } from "vitest";
import { z } from "zod";
import { detachClients } from "@/lib/agent/mcp/handle-mcp";
import { sha256Hex } from "@/lib/core/hash";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { updateSkill } from "@/lib/skills/edit-skills";
import { listeningServer } from "@/lib/testing/listening-server";
import { packFiles, playbookFiles } from "@/lib/testing/sample-packs";
import { skillPeople } from "@/lib/testing/skill-people";
import { testServer } from "@/lib/testing/test-server";
import { testWorker } from "@/lib/testing/test-worker";
import { ROUTE_TABLE } from "../api/testing/route-table";

const { person, database } = await testServer(ROUTE_TABLE);
const url = await listeningServer(ROUTE_TABLE);
const worker = await testWorker(database);
await worker.say({});
const { owner, approved, agent, personal } = await skillPeople({ database, person });

const opened: Client[] = [];
afterAll(detachClients);
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()));
});

async function connect(token: string) {
  const client = new Client({ name: "test-client", version: "1" });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  opened.push(client);
  return client;
}

const Resource = z.object({ uri: z.string(), digest: z.string(), size: z.number() });
const Skill = z.object({ uri: z.string(), resources: z.array(Resource) });

function file(path: string, bytes: Uint8Array<ArrayBuffer>, mode: SkillFile["mode"] = "644"): SkillFile {
  return { path, mode, bytes };
}

const text = (content: string) => new TextEncoder().encode(content);

/** A complete picture is not needed: NUL bytes make a file a binary. */
const PICTURE = new Uint8Array([137, 80, 78, 71, 0, 1, 2, 255]);

const listAll = async (client: Client) =>
  (await client.request({ method: "skills/list" }, z.object({ skills: z.array(Skill) }))).skills;

async function bytesAt(client: Client, uri: string): Promise<Uint8Array> {
  const { contents } = await client.readResource({ uri });
  const Content = z.union([z.object({ blob: z.string() }), z.object({ text: z.string() })]);
  const content = Content.parse(contents[0]);
  return "blob" in content ? Buffer.from(content.blob, "base64") : text(content.text);
}

test("a skill with pictures, long texts and granted scripts is served whole, and every digest is that of the bytes read", async () => {
  const long = text("x".repeat(300 * 1024));
  const files = [
    ...playbookFiles({ name: "whole-one" }),
    file("assets/logo.png", PICTURE),
    file("references/long.md", long),
    file("references/mark.md", text("\uFEFFafter a mark")),
    file("scripts/run.sh", text("#!/bin/sh\necho hi\n"), "755"),
  ];
  const id = await approved(files, { scripts: true });
  for (const { token } of [await agent(), await personal()]) {
    const client = await connect(token);
    const skill = (await listAll(client)).find(({ uri }) => uri === "skill://whole-one/SKILL.md");
    expect(skill?.resources.map(({ uri }) => uri.replace("skill://whole-one/", ""))).toEqual(
      files.map(({ path }) => path).sort(),
    );
    for (const { uri, digest, size } of skill?.resources ?? []) {
      const bytes = await bytesAt(client, uri);
      expect([uri, `sha256:${sha256Hex(bytes)}`, bytes.length]).toEqual([uri, digest, size]);
    }
    const logo = await client.readResource({ uri: "skill://whole-one/assets/logo.png" });
    expect(logo.contents).toEqual([
      {
        uri: "skill://whole-one/assets/logo.png",
        mimeType: "image/png",
        blob: Buffer.from(PICTURE).toString("base64"),
      },
    ]);
    // The model's own tool still reads text of a readable length only.
    const tool = await client.callTool({
      name: "read_skill_file",
      arguments: { name: "whole-one", path: "assets/logo.png" },
    });
    expect(tool).toMatchObject({ isError: true, structuredContent: { code: "too_large" } });
  }
  await updateSkill(owner.ctx, id, { enabled: false });
});

test.each<[string, string, SkillFile[]]>([
  ["a script that no reviewer granted", "with-script", [file("scripts/run.sh", text("#!/bin/sh\n"), "755")]],
  [
    "more than 16 MiB",
    "with-weight",
    Array.from({ length: 4 }, (_, index) => file(`big-${index}.bin`, new Uint8Array(randomBytes(4 * 1024 * 1024 + 1)))),
  ],
])(
  "a skill with %s is withheld whole by the extension",
  async (_what, name, more) => {
    const id = await approved([...playbookFiles({ name }), ...more]);
    const client = await connect((await agent()).token);
    const uri = `skill://${name}/SKILL.md`;
    expect((await listAll(client)).map((skill) => skill.uri)).not.toContain(uri);
    const refused = { code: -32602, message: expect.stringContaining("withheld") };
    await expect(client.request({ method: "skills/get", params: { uri } }, z.looseObject({}))).rejects.toMatchObject(
      refused,
    );
    const folder = { method: "resources/directory/read", params: { uri: `skill://${name}` } };
    await expect(client.request(folder, z.looseObject({}))).rejects.toMatchObject({ code: -32602 });
    // Its playbook is an ordinary resource, as before.
    expect((await client.readResource({ uri })).contents).toHaveLength(1);
    if (name === "with-script") {
      const script = client.readResource({ uri: `skill://${name}/scripts/run.sh` });
      await expect(script).rejects.toMatchObject({ code: -32602, data: { code: "forbidden" } });
    }
    await updateSkill(owner.ctx, id, { enabled: false });
  },
  60_000,
);

test("a cursor that the server never gave out is refused", async () => {
  await approved(playbookFiles({ name: "paged-one" }));
  const client = await connect((await agent()).token);
  const cursor = "bm9uZQ";
  await expect(client.listTools({ cursor })).rejects.toMatchObject({ code: -32602 });
  const params = { uri: "skill://paged-one", cursor };
  const folder = client.request({ method: "resources/directory/read", params }, z.looseObject({}));
  await expect(folder).rejects.toMatchObject({ code: -32602 });
});

test("a client that watches a resource is told when its version changes or it is gone", async () => {
  const id = await approved(playbookFiles({ name: "watched-one" }));
  const client = await connect((await agent()).token);
  const uri = "skill://watched-one/SKILL.md";
  const updated = () =>
    new Promise<string>((resolve) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri));
    });
  await client.subscribeResource({ uri });
  const gone = updated();
  await updateSkill(owner.ctx, id, { enabled: false });
  expect(await gone).toBe(uri);
  const back = updated();
  await updateSkill(owner.ctx, id, { enabled: true });
  expect(await back).toBe(uri);
  await expect(client.subscribeResource({ uri: "file:///etc/passwd" })).rejects.toMatchObject({ code: -32602 });
});

/** A session without the SDK's client, which would continue a broken stream by itself. */
async function rawSession(token: string) {
  const headers: Record<string, string> = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    authorization: `Bearer ${token}`,
    "mcp-protocol-version": "2025-11-25",
  };
  const post = (body: object, signal?: AbortSignal) =>
    fetch(`${url}/mcp`, {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      ...(signal ? { signal } : {}),
    });
  const clientInfo = { name: "raw", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const answer = await post({ id: 1, method: "initialize", params });
  headers["mcp-session-id"] = answer.headers.get("mcp-session-id") ?? "";
  await answer.text();
  await post({ method: "notifications/initialized" });
  const resume = (eventId: string, signal?: AbortSignal) =>
    fetch(`${url}/mcp`, { headers: { ...headers, "last-event-id": eventId }, ...(signal ? { signal } : {}) });
  return { post, resume };
}

const CALL = { id: 2, method: "tools/call", params: { name: "echo_args", arguments: { text: "x" } } };

async function nextLease() {
  const [lease] = (await worker.say({ slots: 1, waitSeconds: 20 })).leases;
  if (lease === undefined) throw new Error("no run came");
  return lease;
}

/** Starts a call, reads the id of the stream’s first event, and hangs up. */
async function brokenCall(token: string) {
  const session = await rawSession(token);
  const hangUp = new AbortController();
  const response = await session.post(CALL, hangUp.signal);
  const reader = (response.body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader();
  const first = (await reader.read()).value ?? "";
  const lease = await nextLease();
  reader.cancel().catch(() => {});
  hangUp.abort();
  return { ...session, first, lease, eventId: /^id: (.+)$/m.exec(first)?.[1] ?? "" };
}

test("a stream of a 2025 revision continues after a broken connection, and its run goes on", async () => {
  await approved(packFiles({ name: "echo_args" }));
  const { token } = await agent();
  const { first, lease, eventId, resume } = await brokenCall(token);
  expect(first).toMatch(/^id: .+\nretry: \d+\ndata: \n/m);
  const stop = new AbortController();
  const resumed = await resume(eventId, stop.signal);
  expect(resumed.status).toBe(200);
  await worker.complete(lease, { result: { done: true } });
  const reader = (resumed.body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!said.includes('"id":2')) said += (await reader.read()).value;
  expect(said).toContain('"state":"succeeded"');
  expect((await resume("another.7", stop.signal)).status).toBe(400);
  const again = await resume(eventId, stop.signal);
  expect(again.status).toBe(200);
  stop.abort();
});

test("a client that does not return within five seconds cancels its run", async () => {
  const { lease } = await brokenCall((await agent()).token);
  const held = { holding: [{ runId: lease.runId, fence: lease.fence }], waitSeconds: 20 };
  expect((await worker.say(held)).cancel.map(({ runId }) => runId)).toEqual([lease.runId]);
  await worker.complete(lease, { error: { code: "cancelled", message: "stopped" }, result: null });
}, 30_000);
