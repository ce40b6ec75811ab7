import { expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testServer } from "@/lib/testing/test-server";
import { testWorker } from "@/lib/testing/test-worker";
import { ROUTE_TABLE } from "./testing/route-table";

const { call, person, database } = await testServer(ROUTE_TABLE);
const [admin, reviewer, other] = [await person("admin"), await person("reviewer"), await person("reviewer")];

async function ask(method: string, address: string, token: string, json?: unknown) {
  const response = await call(method, address, { token, ...(json === undefined ? {} : { json }) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function skillOf(runClass: string): Promise<string> {
  const { filename, bytes } = await zipUpload(
    "pack",
    packFiles({ name: `${runClass}_pack`, manifest: { class: runClass } }),
  );
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], filename));
  const imported = await call("POST", "/api/skills/import", { token: admin.token, body: form });
  const [skill] = (await imported.json()).skills;
  const decisions = `/api/skills/${skill.id}/versions/${skill.pendingVersion.digest}/decisions`;
  await ask("POST", decisions, reviewer.token, { decision: "approve", comment: "Read." });
  await ask("PATCH", `/api/skills/${skill.id}`, admin.token, { enabled: true });
  return skill.id;
}

async function agentOf(token: string, permissionMode: string) {
  const persona = await ask("POST", "/api/admin/personas", admin.token, { name: newId(), permissionMode });
  const made = await ask("POST", "/api/tokens", token, {
    name: "agent",
    scopes: ["read", "run"],
    persona: persona.body.id,
  });
  return made.body.token as string;
}

const settings = (change: Record<string, unknown>) => ask("PATCH", "/api/admin/settings", admin.token, change);

test("an agent’s mutating run is 202, its person approves it by its id, and who comes later is told", async () => {
  const agent = await agentOf(admin.token, "mutating-with-confirm");
  const id = await skillOf("mutating");
  const parked = await ask("POST", `/api/skills/${id}/runs`, agent, { args: { text: "x" }, wait: 30, confirm: true });
  expect(parked).toMatchObject({ status: 202, body: { state: "awaiting_approval", class: "mutating" } });
  const inbox = await ask("GET", "/api/approvals", admin.token);
  expect(inbox.body.items.map((item: { id: string }) => item.id)).toEqual([parked.body.id]);
  expect((await ask("GET", "/api/me", admin.token)).body.counts.approvals).toBe(1);
  const decisions = `/api/runs/${parked.body.id}/decisions`;
  expect((await ask("POST", decisions, agent, { decision: "approve" })).status).toBe(403);
  const silent = await ask("POST", decisions, admin.token, { decision: "reject" });
  expect(silent).toMatchObject({ status: 422, body: { errors: [{ path: "comment" }] } });
  expect((await ask("POST", decisions, admin.token, { decision: "approve" })).body.state).toBe("queued");
  expect((await ask("POST", decisions, other.token, { decision: "approve" })).body.code).toBe("conflict");
  expect((await ask("GET", "/api/approvals", admin.token)).body.items).toEqual([]);
});

test("a dangerous run is 202 without solo mode and needs two others", async () => {
  const id = await skillOf("dangerous");
  await settings({ soloMode: false });
  const parked = await ask("POST", `/api/skills/${id}/runs`, admin.token, { args: { text: "x" } });
  expect(parked).toMatchObject({ status: 202, body: { approval: { needed: 2 } } });
  const sign = (token: string) => ask("POST", `/api/runs/${parked.body.id}/decisions`, token, { decision: "approve" });
  expect((await sign(admin.token)).body.code).toBe("separation_of_duties");
  expect((await sign(reviewer.token)).body.state).toBe("awaiting_approval");
  expect((await sign(other.token)).body.state).toBe("queued");
  await settings({ soloMode: true });
});

test("a caller sees its own rights", async () => {
  const agent = await agentOf(admin.token, "read-only");
  const rights = (await ask("GET", "/api/me", agent)).body.rights;
  expect(rights).toMatchObject({
    via: "token",
    scopes: ["read", "run"],
    persona: { permissionMode: "read-only" },
    runs: { safe: { outcome: "start" }, mutating: { outcome: "refuse", rule: "persona-mode" } },
  });
  const own = (await ask("GET", "/api/me", admin.token)).body.rights;
  expect(own).toMatchObject({ persona: null, runs: { mutating: { outcome: "confirm" } } });
});

test("an answer says what is left, and one request too many is 429 with the time to wait", async () => {
  const user = await person("user");
  const agent = await agentOf(user.token, "read-only");
  await settings({ agentRequestsPerMinute: 10, requestsPerMinute: 100 });
  for (let left = 9; left >= 0; left -= 1) {
    const answer = await ask("GET", "/api/me", agent);
    expect([answer.status, answer.headers.get("ratelimit-remaining")]).toEqual([200, String(left)]);
  }
  const refused = await ask("GET", "/api/me", agent);
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.headers.get("ratelimit-limit")).toBe("10");
  expect((await ask("GET", "/api/me", user.token)).status).toBe(200);
  for (const path of ["/api/skills", "/api/runs", "/api/me"]) expect((await ask("GET", path, agent)).status).toBe(429);
  const { items } = (await ask("GET", "/api/audit?action=request.refuse&limit=100", admin.token)).body;
  const limited = items.filter((item: { data: { code?: string } }) => item.data.code === "rate_limited");
  expect(limited).toMatchObject([{ outcome: "refused", summary: expect.stringContaining("GET /api/me") }]);
  await settings({ agentRequestsPerMinute: 600, requestsPerMinute: 60_000 });
});

test("a run that no worker allows is 409 with its own code, and the audit log has the refusal", async () => {
  const id = await skillOf("safe");
  const skill = await ask("GET", `/api/skills/${id}`, admin.token);
  const version = `/api/skills/${id}/versions/${skill.body.currentVersion.digest}`;
  const grants = { paths: [{ path: "/srv/data", mode: "ro" }] };
  const decided = await ask("POST", `${version}/decisions`, reviewer.token, {
    decision: "approve",
    expects: "approved",
    grants,
  });
  expect(decided).toMatchObject({ status: 200, body: { state: "approved" } });
  const { id: worker } = await testWorker(database);
  await database.writer.worker.update({ where: { id: worker }, data: { lastSeenAt: new Date() } });
  const detail = expect.stringContaining("the path /srv/data. Its operator can allow it with SKILLGATE_WORKER_PATHS");
  const asked = await ask("POST", `/api/skills/${id}/runs`, admin.token, { args: { text: "x" } });
  expect(asked).toMatchObject({ status: 409, body: { code: "worker_does_not_allow", detail } });
  const audit = await ask("GET", "/api/audit?action=request.refuse", admin.token);
  expect(audit.body.items[0]).toMatchObject({ rule: "worker_does_not_allow", outcome: "refused" });
  expect((await ask("GET", version, admin.token)).body).toMatchObject({ notServed: detail });
  const system = await ask("GET", "/api/admin/system", admin.token);
  expect(system.body.unserved.items).toMatchObject([
    { skill: { id }, missing: [{ variable: "SKILLGATE_WORKER_PATHS" }] },
  ]);
});
