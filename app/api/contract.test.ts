import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { Problem } from "@/lib/core/schema";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

const { call, person, database } = await testServer(ROUTE_TABLE);
const admin = await person("admin");
const as = { token: admin.token };

async function formWith(options: Parameters<typeof packFiles>[0] = {}) {
  const { filename, bytes } = await zipUpload("pack", packFiles(options));
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], filename));
  return form;
}

async function importPack(options: Parameters<typeof packFiles>[0] = {}, headers: Record<string, string> = {}) {
  return call("POST", "/api/skills/import", { ...as, body: await formWith(options), headers });
}

async function problemOf(response: Response) {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem = Problem.parse(await response.json());
  expect(problem.status).toBe(response.status);
  return problem;
}

/** Returns the cookie of a signed-in browser. */
async function cookieOf(userId: string) {
  const sid = newId();
  const at = new Date();
  const expiresAt = new Date(at.getTime() + 3_600_000);
  await database.writer.session.create({ data: { id: sid, userId, createdAt: at, lastSeenAt: at, expiresAt } });
  const token = await encode({ token: { uid: userId, sid }, secret: process.env.NEXTAUTH_SECRET ?? "" });
  return `next-auth.session-token=${token}`;
}

test("an import answers 201 with the skill, and its bytes are known the second time", async () => {
  const response = await importPack({ name: "first_pack" });
  expect(response.status).toBe(201);
  const { skills, diagnostics } = await response.json();
  expect(skills).toMatchObject([{ name: "first_pack", pendingVersion: { number: 1, state: "pending" } }]);
  expect(diagnostics).toEqual([]);
  const again = await (await importPack({ name: "first_pack" })).json();
  expect(again.skills[0].pendingVersion).toEqual(skills[0].pendingVersion);
});

test.each([
  ["POST", "/api/skills", "{", 400, "malformed"],
  ["POST", "/api/skills", "[]", 422, "invalid"],
  ["POST", "/api/skills", '{"name":7,"description":[],"body":{}}', 422, "invalid"],
  ["POST", "/api/skills/none/runs", '{"args":[]}', 422, "invalid"],
  ["POST", "/api/skills/none/runs", '{"args":{},"wait":61}', 422, "invalid"],
  ["POST", "/api/skills/none/runs", "{}", 404, "not_found"],
  ["PATCH", "/api/skills/none", '{"enabled":"yes"}', 422, "invalid"],
  ["PATCH", "/api/skills/none", "{}", 422, "invalid"],
  ["POST", "/api/tokens", '{"name":"x","scopes":["root"]}', 422, "invalid"],
  ["POST", "/api/admin/users", '{"email":"nobody","name":"x","role":"user"}', 422, "invalid"],
  ["PATCH", "/api/admin/settings", '{"soloMode":"false"}', 422, "invalid"],
  ["PATCH", "/api/admin/settings", '{"unheardOf":1}', 422, "invalid"],
  ["POST", "/api/runs/cancel", '{"ids":[]}', 422, "invalid"],
])("%s %s with %s answers %i %s", async (method, path, body, status, code) => {
  const response = await call(method, path, { ...as, body, headers: { "content-type": "application/json" } });
  expect(await problemOf(response)).toMatchObject({ status, code });
});

test("a body that is not announced as JSON is refused, and one over the limit is too large", async () => {
  const text = await call("PATCH", "/api/skills/x", {
    ...as,
    body: '{"enabled":true}',
    headers: { "content-type": "text/plain" },
  });
  expect(await problemOf(text)).toMatchObject({ status: 415, code: "unsupported_type" });
  const large = await call("PATCH", "/api/skills/x", { ...as, json: { category: "x".repeat(2_000_000) } });
  expect(await problemOf(large)).toMatchObject({ status: 413, code: "too_large" });
});

test.each([
  "/api/skills?limit=0",
  "/api/skills?limit=101",
  "/api/skills?limit=x",
  "/api/skills?cursor=%7B%7D",
  "/api/skills?enabled=maybe",
  "/api/runs?state=lost",
  "/api/runs?from=yesterday",
  "/api/runs/summary?buckets=201",
  "/api/audit?from=yesterday",
])("%s answers 400", async (address) => {
  expect(await problemOf(await call("GET", address, as))).toMatchObject({ status: 400, code: "malformed" });
});

test("an upload that is no multipart body, has no file, or is no archive, is refused with its reason", async () => {
  const json = await call("POST", "/api/skills/import", { ...as, json: {} });
  expect(await problemOf(json)).toMatchObject({ status: 415 });
  const empty = new FormData();
  empty.set("other", "x");
  expect(await problemOf(await call("POST", "/api/skills/import", { ...as, body: empty }))).toMatchObject({
    status: 422,
    code: "invalid",
  });
  const garbage = new FormData();
  garbage.set("file", new File(["not a zip at all"], "skill.zip"));
  const refused = await problemOf(await call("POST", "/api/skills/import", { ...as, body: garbage }));
  expect([415, 422]).toContain(refused.status);
});

test("a cut-off multipart body stores nothing", async () => {
  const whole = new Request("http://x/", { method: "POST", body: await formWith({ name: "cut_pack" }) });
  const bytes = new Uint8Array(await whole.arrayBuffer());
  const type = whole.headers.get("content-type") ?? "";
  const response = await call("POST", "/api/skills/import", {
    ...as,
    body: bytes.slice(0, bytes.length - 40),
    headers: { "content-type": type },
  });
  expect(await problemOf(response)).toMatchObject({ status: 400, code: "malformed" });
  expect((await call("GET", "/api/skills/cut_pack", as)).status).toBe(404);
});

test("the same Idempotency-Key answers the first answer, and is refused for another file", async () => {
  const headers = { "idempotency-key": "import-1" };
  const first = await importPack({ name: "once_pack" }, headers);
  const again = await importPack({ name: "once_pack" }, headers);
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await again.json()).toEqual(await first.json());
  const other = await problemOf(await importPack({ name: "twice_pack" }, headers));
  expect(other).toMatchObject({ status: 409, code: "idempotency_mismatch" });
});

test("of two requests with one Idempotency-Key at the same time, one works and the other is told to wait", async () => {
  const headers = { "idempotency-key": "import-2" };
  const answers = await Promise.all([
    importPack({ name: "race_pack" }, headers),
    importPack({ name: "race_pack" }, headers),
  ]);
  const statuses = answers.map((answer) => answer.status).sort();
  expect([
    [201, 201],
    [201, 409],
  ]).toContainEqual(statuses);
});

test("a GET has an ETag, answers 304 to it, and If-Match guards a change", async () => {
  await importPack({ name: "tagged_pack" });
  const first = await call("GET", "/api/skills/tagged_pack", as);
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  expect((await call("GET", "/api/skills/tagged_pack", { ...as, headers: { "if-none-match": etag } })).status).toBe(
    304,
  );
  const change = (value: string, match: string) =>
    call("PATCH", "/api/skills/tagged_pack", { ...as, json: { category: value }, headers: { "if-match": match } });
  expect((await change("ops", etag)).status).toBe(200);
  expect(await problemOf(await change("data", etag))).toMatchObject({ status: 412, code: "stale" });
});

test("lists page by keyset cursors that survive inserts", async () => {
  for (const name of ["page_a", "page_b", "page_c"]) await importPack({ name });
  const first = await (await call("GET", "/api/skills?q=page_&limit=2", as)).json();
  await importPack({ name: "page_aa" });
  const second = await (await call("GET", `/api/skills?q=page_&limit=2&cursor=${first.nextCursor}`, as)).json();
  expect([...first.items, ...second.items].map((skill: { name: string }) => skill.name)).toEqual([
    "page_a",
    "page_b",
    "page_c",
  ]);
  expect(second.nextCursor).toBeNull();
});

test("files of a skill are never rendered in our origin", async () => {
  const html = {
    path: "page.html",
    mode: "644" as const,
    bytes: new TextEncoder().encode("<script>alert(1)</script>"),
  };
  const { skills } = await (await importPack({ name: "html_pack", extra: [html] })).json();
  const { id, pendingVersion } = skills[0];
  const response = await call("GET", `/api/skills/${id}/versions/${pendingVersion.digest}/files/page.html`, as);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.get("content-disposition")).toContain("attachment");
  expect(response.headers.get("content-security-policy")).toContain("sandbox");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
});

test.each(["%2e%2e/%2e%2e/etc/passwd", "..%2f..%2fetc%2fpasswd", "/etc/passwd", "%00"])(
  "a file address %s finds nothing",
  async (path) => {
    const { skills } = await (await importPack({ name: "path_pack" })).json();
    const { id, pendingVersion } = skills[0];
    const response = await call("GET", `/api/skills/${id}/versions/${pendingVersion.digest}/files/${path}`, as).catch(
      () => null,
    );
    expect(response?.status ?? 404).toBe(404);
  },
);

test("enabling without an approved version is 409 not_approved, and the refusal is audited", async () => {
  await importPack({ name: "waiting_pack" });
  const response = await call("PATCH", "/api/skills/waiting_pack", { ...as, json: { enabled: true } });
  const problem = await problemOf(response);
  expect(problem).toMatchObject({ status: 409, code: "not_approved" });
  const event = await database.reader.auditEvent.findFirstOrThrow({ where: { requestId: problem.requestId ?? "" } });
  expect(event).toMatchObject({ action: "request.refuse", outcome: "refused" });
});

test("a mutating run without confirmation is 409 confirmation_required, and the refusal is audited", async () => {
  const { skills } = await (await importPack({ name: "changing_pack", manifest: { class: "mutating" } })).json();
  const { id, pendingVersion } = skills[0];
  const decisions = `/api/skills/${id}/versions/${pendingVersion.digest}/decisions`;
  expect((await call("POST", decisions, { ...as, json: { decision: "approve" } })).status).toBe(200);
  expect((await call("PATCH", `/api/skills/${id}`, { ...as, json: { enabled: true } })).status).toBe(200);
  const problem = await problemOf(
    await call("POST", `/api/skills/${id}/runs`, { ...as, json: { args: { text: "x" } } }),
  );
  expect(problem).toMatchObject({ status: 409, code: "confirmation_required" });
  const event = await database.reader.auditEvent.findFirstOrThrow({ where: { requestId: problem.requestId ?? "" } });
  expect(event).toMatchObject({ action: "request.refuse", outcome: "refused" });
});

test("refusals of anonymous callers become one event", async () => {
  const count = () =>
    database.reader.auditEvent.count({ where: { actorKind: "anonymous", summary: { contains: "/api/reviews" } } });
  for (let index = 0; index < 5; index++) expect((await call("GET", "/api/reviews")).status).toBe(401);
  expect(await count()).toBe(1);
});

test.each([
  ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }, 403],
  ["a sibling host", { "sec-fetch-site": "same-site", origin: "http://evil.127.0.0.1" }, 403],
  ["an opaque origin", { origin: "null" }, 403],
  ["nowhere, without either header", {}, 403],
  ["another origin without Sec-Fetch-Site", { origin: "https://evil.example" }, 403],
  ["our own pages", { "sec-fetch-site": "same-origin", origin: "http://127.0.0.1:3000" }, 200],
  ["our own pages in an older browser", { origin: "http://127.0.0.1:3000" }, 200],
])("a signed-in browser’s write that comes from %s", async (_from, headers, status) => {
  const member = await person("admin");
  const cookie = await cookieOf(member.id);
  const response = await call("PATCH", "/api/admin/settings", {
    json: { instanceName: "Skillgate" },
    headers: { cookie, host: "127.0.0.1:3000", ...headers },
  });
  expect(response.status).toBe(status);
  if (status === 403) expect(await problemOf(response)).toMatchObject({ code: "cross_origin" });
});

test("a bad bearer token is refused even beside a good cookie", async () => {
  const cookie = await cookieOf((await person("user")).id);
  expect((await call("GET", "/api/me", { headers: { cookie } })).status).toBe(200);
  const response = await call("GET", "/api/me", {
    headers: { cookie, authorization: "Bearer sgt_wrong_wrong_wrong_wrong_wrong_w" },
  });
  expect(response.status).toBe(401);
});

test("a demoted admin is a user at the next request", async () => {
  const member = await person("admin");
  const headers = { cookie: await cookieOf(member.id) };
  expect((await call("GET", "/api/admin/settings", { headers })).status).toBe(200);
  await database.writer.user.update({ where: { id: member.id }, data: { role: "user" } });
  expect((await call("GET", "/api/admin/settings", { headers })).status).toBe(403);
});

test("an address without a route answers a problem, not a page", async () => {
  expect(await problemOf(await call("GET", "/api/nothing/here"))).toMatchObject({ status: 404, code: "not_found" });
});

const pathOf = (address: string) => address.replace(/\[(?:\.{3})?(\w+)\]/g, "{$1}");

test("the API description lists every route with its access", async () => {
  const { describeApi } = await import("@/lib/http/describe-api");
  const described = (await describeApi(ROUTE_TABLE, "http://127.0.0.1:3000")) as {
    openapi: string;
    paths: Record<
      string,
      Record<string, { "x-access": string; "x-agents": string; parameters?: { name: string; in: string }[] }>
    >;
  };
  expect(described.openapi).toBe("3.1.0");
  const undescribed = ROUTE_TABLE.map(([path]) => path).filter((path) => !(pathOf(path) in described.paths));
  expect(undescribed).toEqual(["/api/[...unknown]", "/v1/[...unknown]"]);
  const runs = described.paths["/api/skills/{id}/runs"]?.post;
  expect(runs).toMatchObject({ "x-access": "run", "x-agents": "open" });
  expect(described.paths["/api/sessions/{id}"]?.delete).toMatchObject({ "x-access": "write", "x-agents": "closed" });
  for (const [path, operations] of Object.entries(described.paths)) {
    const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    for (const { parameters = [] } of Object.values(operations)) {
      expect(parameters.flatMap(({ in: place, name }) => (place === "path" ? [name] : [])).sort(), path).toEqual(
        places,
      );
    }
  }
});
