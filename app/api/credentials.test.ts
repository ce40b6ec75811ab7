import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { PersonActor } from "@/lib/core/actor";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { createCtx } from "@/lib/db/context";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { listTables } from "@/lib/testing/outside";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testServer } from "@/lib/testing/test-server";
import { testWorker } from "@/lib/testing/test-worker";
import { makeWorkDir } from "@/lib/worker/testing/make-work-dir";
import { ROUTE_TABLE } from "./testing/route-table";

const { call, person, worker, database, outside } = await testServer(ROUTE_TABLE);
const admin = await person("admin");
const { token } = admin;

const TOKEN = 'tok/Qx7+"W9 é-Kzu';
const KEY = `-----BEGIN-----\nVb3nM8kk01zzQQ\nLq9+/tzzAAc1dd\n-----END-----\n`;
const GRANTS = [
  { slot: "API_TOKEN", credential: "api-token", as: "env", name: "API_TOKEN" },
  { slot: "key", credential: "deploy-key", as: "file", name: "key.pem" },
];

/** Prints the credentials that it got in every encoding, on both streams, and a checksum that proves they were correct. */
const TELLER = `#!/usr/bin/env python3
import base64, hashlib, json, os, sys, urllib.parse
key = open(os.path.join(os.environ["HOME"], "secrets", "key.pem")).read()
forms = []
for value in (os.environ["API_TOKEN"], key):
    data = value.encode()
    forms += [value, data.hex(), base64.b64encode(data).decode(), base64.urlsafe_b64encode(b"::" + data).decode(),
              urllib.parse.quote(value), json.dumps(value), base64.encodebytes(data).decode()]
print("\\n".join(forms), file=sys.stderr, flush=True)
digests = [hashlib.sha256(value.encode()).hexdigest()[:12] for value in (os.environ["API_TOKEN"], key)]
print(json.dumps({"digests": digests, "forms": forms, forms[0]: forms}))
`;

let bundle: string;
beforeAll(async () => {
  await send("PATCH", "/api/admin/settings", { safeWithoutSandbox: true });
  const script = new URL("../../bin/build-programs.mjs", import.meta.url).href;
  const { buildWorker } = (await import(/* @vite-ignore */ script)) as { buildWorker(): Promise<string> };
  bundle = await buildWorker();
});

async function send(method: string, path: string, json?: unknown, as = token) {
  const response = await call(method, path, { token: as, ...(json === undefined ? {} : { json }) });
  const text = await response.text();
  return { status: response.status, text, body: text === "" ? null : JSON.parse(text) };
}

async function importPack(name: string, script: string): Promise<{ id: string; digest: string }> {
  const actor: PersonActor = {
    kind: "user",
    userId: admin.id,
    name: "Test admin",
    email: "a@example.test",
    role: "admin",
    sessionId: newId(),
  };
  const manifest = { schema: { type: "object" } };
  const upload = await zipUpload(name, packFiles({ name, script, manifest }));
  const [skill] = (await importSkills(createCtx({ actor, database }), { ...upload, owner: "me" })).skills;
  if (!skill?.pendingVersion) throw new Error("not imported");
  return { id: skill.id, digest: skill.pendingVersion.digest };
}

async function approve(pack: { id: string; digest: string }, credentials: unknown[]) {
  const path = `/api/skills/${pack.id}/versions/${pack.digest}/decisions`;
  const answer = await send("POST", path, { decision: "approve", comment: "", grants: { credentials } });
  if (answer.status < 300) await send("PATCH", `/api/skills/${pack.id}`, { enabled: true });
  return answer;
}

/** Serves the routes on a real port, for a worker in its own process. */
async function startWorker(): Promise<{ child: ChildProcess; log: () => string }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const headers = { authorization: request.headers.authorization ?? "", "content-type": "application/json" };
      const body = chunks.length > 0 ? { body: Buffer.concat(chunks).toString("utf8") } : {};
      const answer = await call(request.method ?? "GET", request.url ?? "/", { headers, ...body });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const tokenFile = join(makeWorkDir(), "token");
  writeFileSync(tokenFile, (await worker()).token);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const args = [bundle, "--url", url, "--token-file", tokenFile, "--name", "edge", "--work-dir", makeWorkDir()];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
    server.closeAllConnections();
    server.close();
  });
  return { child, log: () => log };
}

const FORMS = [TOKEN, KEY, "Vb3nM8kk01zzQQ", "Lq9+/tzzAAc1dd"].flatMap((value) => {
  const bytes = Buffer.from(value);
  const json = JSON.stringify(value).slice(1, -1);
  return [
    value,
    bytes.toString("hex"),
    bytes.toString("base64").replace(/.{0,2}=*$/, ""),
    encodeURIComponent(value),
    json,
  ];
});

function expectNowhere(text: string): void {
  for (const form of FORMS) expect(text).not.toContain(form);
}

test("a credential that is gone stops the run, when it is asked for and when it would start", async () => {
  const pack = await importPack("needy", "#!/bin/sh\necho 1\n");
  const made = await send("POST", "/api/admin/credentials", { name: "short-lived", value: "abcdefgh" });
  await approve(pack, [{ slot: "x", credential: "short-lived", as: "env", name: "X" }]);
  const first = await send("POST", `/api/skills/${pack.id}/runs`, { args: {} });
  expect(first.text).toContain("queued");
  const waiting = first.body.id;
  const refused = await send("DELETE", `/api/admin/credentials/${made.body.id}`);
  expect(refused).toMatchObject({
    status: 409,
    body: { code: "conflict", detail: expect.stringContaining("“needy”") },
  });
  expect((await send("DELETE", `/api/admin/credentials/${made.body.id}?force=true`)).status).toBe(204);
  const asked = await send("POST", `/api/skills/${pack.id}/runs`, { args: {} });
  expect(asked).toMatchObject({ status: 409, body: { code: "credential_missing", rule: "credential_missing" } });
  expect(asked.body.detail).toContain("short-lived");
  expect(await (await testWorker(database)).lease(4)).toEqual([]);
  expect((await ended(waiting)).error).toMatchObject({ code: "credential_missing" });
});

test("a rotated value is what the next run gets; names are unique, values have a length and never come back", async () => {
  const path = "/api/admin/credentials";
  const made = await send("POST", path, { name: "rotating", value: "first-value" });
  expect((await send("POST", path, { name: "rotating", value: "other-value" })).status).toBe(409);
  for (const value of ["short", "  a b  ", "x".repeat(20_000), "nul\0nul\0nul"]) {
    const refused = await send("PATCH", `${path}/${made.body.id}`, { value });
    expect(refused.status).toBe(422);
    expect(refused.text).not.toContain(value.slice(0, 5));
  }
  const rotated = await send("PATCH", `${path}/${made.body.id}`, { value: "second-value" });
  expect(rotated.status).toBe(200);
  for (const { text } of [made, rotated, await send("GET", path), await send("GET", "/api/credentials")]) {
    expect(text).not.toMatch(/(first|second)-value/);
  }
  const audit = await database.reader.auditEvent.findMany({ where: { targetId: made.body.id } });
  expect(audit.map(({ action }) => action)).toEqual(["credential.create", "credential.rotate"]);
  expect(JSON.stringify(audit.map(({ data, summary }) => [data, summary]))).not.toMatch(/-value/);
});

test("who reviews sees names to choose from, and only admins the rest", async () => {
  const reviewer = (await person("reviewer")).token;
  const names = await send("GET", "/api/credentials", undefined, reviewer);
  expect(names.status).toBe(200);
  for (const item of names.body.items) expect(Object.keys(item).sort()).toEqual(["description", "name"]);
  expect((await send("GET", "/api/admin/credentials", undefined, reviewer)).status).toBe(403);
  expect((await send("GET", "/api/credentials", undefined, (await person("user")).token)).status).toBe(403);
});

// Keep this test last: the server does not notice when this worker closes its request, which would then receive later leases.
test("a credential reaches the run it was granted to, and nothing else", { timeout: 60_000 }, async () => {
  const pack = await importPack("teller", TELLER);
  const early = await approve(pack, GRANTS);
  expect(early).toMatchObject({ status: 422, body: { errors: [{ path: "grants.credentials.0.credential" }] } });
  for (const [name, value] of [
    ["api-token", TOKEN],
    ["deploy-key", KEY],
  ]) {
    const made = await send("POST", "/api/admin/credentials", { name, description: "for tests", value });
    expect(made.status).toBe(201);
    expectNowhere(made.text);
  }
  expect((await approve(pack, GRANTS)).status).toBe(200);
  const process = await startWorker();
  const seen: string[] = [];
  const watch = setInterval(() => seen.push(...commandLines()), 5);
  onTestFinished(() => clearInterval(watch));
  const started = await send("POST", `/api/skills/${pack.id}/runs`, { args: {} });
  const run = await ended(started.body.id);
  clearInterval(watch);
  expect(run.error).toBeNull();
  const digest = (value: string) => sha256Hex(value).slice(0, 12);
  expect(run.result.digests).toEqual([digest(TOKEN), digest(KEY)]);
  expectNowhere(JSON.stringify(run));
  expectNowhere(process.log());
  expect(seen.some((line) => line.includes("worker"))).toBe(true);
  for (const line of new Set(seen)) expectNowhere(line);
  const events = await database.reader.runEvent.findMany({ where: { runId: run.id } });
  expect(events.some(({ text }) => text.includes("•••• (credential deploy-key)"))).toBe(true);
  const audit = await database.reader.auditEvent.findMany();
  expect(audit.map(({ action }) => action)).toEqual(expect.arrayContaining(["credential.create", "credential.use"]));
  for (const table of await listTables(outside, database)) {
    if (/^(Catalog|Audit)(Search|Word)/.test(table)) continue;
    const rows = await outside(`SELECT * FROM "${table}"`);
    const values = rows.flatMap((row) => Object.values(row));
    const text = values.map((value) => (Buffer.isBuffer(value) ? value.toString("latin1") : String(value))).join("\n");
    expectNowhere(text);
    // The redacted text is there, so the search above did read these rows.
    if (table === "RunEvent") expect(text).toContain("(credential deploy-key)");
  }
  const items: { name: string }[] = (await send("GET", "/api/admin/credentials")).body.items;
  const listed = items.find(({ name }) => name === "api-token");
  expect(listed).toMatchObject({ name: "api-token", usedBy: [{ id: pack.id }], lastUsedAt: expect.any(String) });
});

type Ended = { id: string; error: { code: string } | null; result: { digests: string[] } };

async function ended(id: string): Promise<Ended> {
  const read = async () => (await send("GET", `/api/runs/${id}`)).body;
  await expect.poll(async () => (await read()).finishedAt, { timeout: 20_000 }).not.toBeNull();
  return read();
}

function commandLines(): string[] {
  return readdirSync("/proc")
    .filter(Number)
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8")];
      } catch {
        return []; // The process ended meanwhile.
      }
    });
}
