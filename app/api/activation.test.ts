import { expect, test } from "vitest";
import { Skill } from "@/lib/skills/schema";
import { Version } from "@/lib/skills/versions/schema";
import { browserOf } from "@/lib/testing/browser-of";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

const { call, person, database } = await testServer(ROUTE_TABLE);
const [admin, owner, reviewer, other] = [
  await person("admin"),
  await person("user"),
  await person("reviewer"),
  await person("user"),
];
const settings = (json: object) => call("PATCH", "/api/admin/settings", { token: admin.token, json });
await settings({ soloMode: false });

type By = { token: string } | { headers: Record<string, string> };
let count = 0;
const nextName = () => {
  count += 1;
  return `rolled_${count}`;
};

async function upload(name: string, line: string, manifest: Record<string, unknown> = {}, by: By = owner) {
  const files = packFiles({ name, script: `#!/bin/sh\n# ${line}\ncat\n`, manifest });
  const { filename, bytes } = await zipUpload("pack", files);
  const body = new FormData();
  body.set("file", new File([new Uint8Array(bytes)], filename));
  return (await call("POST", "/api/skills/import", { ...by, body })).json();
}

async function ask(method: string, address: string, by: By, json?: unknown) {
  const response = await call(method, address, { ...by, ...(json === undefined ? {} : { json }) });
  return { status: response.status, body: await response.json() };
}

async function imported(name: string, line: string, manifest?: Record<string, unknown>) {
  const { skills } = await upload(name, line, manifest);
  return { id: skills[0].id as string, digest: skills[0].pendingVersion.digest as string };
}

const at = (id: string, digest: string, rest: string) => `/api/skills/${id}/versions/${digest}${rest}`;
const decide = (id: string, digest: string, json: object, by: By = reviewer) =>
  ask("POST", at(id, digest, "/decisions"), by, { decision: "approve", comment: "Read.", ...json });
const revoke = (id: string, digest: string, more: object = {}) => decide(id, digest, { decision: "revoke", ...more });
const activate = (id: string, digest: string, by: By = reviewer, json?: object) =>
  ask("POST", at(id, digest, "/activate"), by, json);
const skillOf = async (id: string) => Skill.parse((await ask("GET", `/api/skills/${id}`, owner)).body);
const run = (id: string) => ask("POST", `/api/skills/${id}/runs`, owner, { args: { text: "x" } });

/** Returns an enabled skill with two approved versions, of which the second is active. */
async function twoVersions(manifest: Record<string, unknown> = {}) {
  const name = nextName();
  const first = await imported(name, "one", manifest);
  expect((await decide(first.id, first.digest, {})).status).toBe(200);
  const second = await imported(name, "two", manifest);
  expect((await decide(first.id, second.digest, {})).status).toBe(200);
  expect((await ask("PATCH", `/api/skills/${first.id}`, owner, { enabled: true })).status).toBe(200);
  return { id: first.id, name, old: first.digest, now: second.digest };
}

test("after the serving version is revoked, an older approved one is made active, serves and runs", async () => {
  const { id, old, now } = await twoVersions();
  const revoked = await revoke(id, now);
  expect(Version.parse(revoked.body)).toMatchObject({
    state: "revoked",
    active: false,
    activatable: [{ digest: old, number: 1, state: "approved" }],
  });
  expect(await skillOf(id)).toMatchObject({ currentVersion: null, enabled: false });
  const made = await activate(id, old);
  expect(made.status).toBe(200);
  expect(Skill.parse(made.body)).toMatchObject({ currentVersion: { digest: old }, trust: { signature: "verified" } });
  expect((await ask("PATCH", `/api/skills/${id}`, owner, { enabled: true })).status).toBe(200);
  expect((await run(id)).body).toMatchObject({ versionDigest: old });
  const version = Version.parse((await ask("GET", at(id, old, ""), owner)).body);
  expect(version).toMatchObject({ active: true, trust: { signature: "verified" } });
  expect(version.decisions.at(-1)).toMatchObject({
    decision: "activate",
    standing: null,
    trust: { signature: "verified" },
  });
  const event = await database.reader.auditEvent.findFirstOrThrow({
    where: { skillId: id, action: "version.activate" },
  });
  expect(event).toMatchObject({ versionDigest: old, actorId: reviewer.id });
  expect(JSON.parse(event.data)).toMatchObject({ serves: 3, replaces: null, basis: "review" });
});

test("a serving version is replaced by an older one and back, at once and without the switch", async () => {
  const { id, old, now } = await twoVersions();
  for (const [digest, before] of [
    [old, now],
    [now, old],
    [old, now],
  ] as const) {
    expect((await activate(id, digest, reviewer, { comment: "Back.", expects: before })).status).toBe(200);
    expect(await skillOf(id)).toMatchObject({
      enabled: true,
      currentVersion: { digest },
      trust: { signature: "verified" },
    });
    expect((await run(id)).body).toMatchObject({ versionDigest: digest });
  }
  const late = await activate(id, now, reviewer, { expects: now });
  expect(late).toMatchObject({ status: 409, body: { code: "conflict", detail: expect.stringContaining("version 1") } });
  const events = await database.reader.auditEvent.count({ where: { skillId: id, action: "version.activate" } });
  expect((await activate(id, old)).status).toBe(200);
  expect(await database.reader.auditEvent.count({ where: { skillId: id, action: "version.activate" } })).toBe(events);
});

test("a revocation names the version that takes the place, in one step; the skill stays on", async () => {
  const { id, old, now } = await twoVersions();
  const own = await revoke(id, now, { activate: now });
  expect(own).toMatchObject({ status: 409, body: { code: "not_approved" } });
  expect(await skillOf(id)).toMatchObject({ currentVersion: { digest: now, state: "approved" } });
  expect((await revoke(id, old, { activate: now })).body).toMatchObject({ code: "invalid" });
  expect((await decide(id, old, { activate: now })).body).toMatchObject({ code: "invalid" });
  expect((await revoke(id, now, { activate: old })).status).toBe(200);
  expect(await skillOf(id)).toMatchObject({ enabled: true, currentVersion: { digest: old } });
  expect((await run(id)).body).toMatchObject({ versionDigest: old });
});

test("each other way that people try says what to do, or leads to a serving version", async () => {
  const { id, name, old, now } = await twoVersions();
  await revoke(id, now);
  const way = `/api/skills/${id}/versions/${old}/activate`;
  const again = await decide(id, old, {});
  expect(again).toMatchObject({ status: 409, body: { code: "conflict", detail: expect.stringContaining(way) } });
  const on = await ask("PATCH", `/api/skills/${id}`, owner, { enabled: true });
  expect(on).toMatchObject({ status: 409, body: { code: "not_approved", detail: expect.stringContaining(way) } });
  const bytes = await upload(name, "one");
  expect(bytes.diagnostics).toContainEqual(
    expect.objectContaining({ code: "not_active", message: expect.stringContaining(way) }),
  );
  const files = packFiles({ name, script: "#!/bin/sh\n# one\ncat\n" }).map(({ path, mode, bytes: content }) => ({
    ...{ path, mode, text: new TextDecoder().decode(content) },
  }));
  const saved = await ask("POST", `/api/skills/${id}/versions`, owner, { files, baseDigest: now });
  expect(saved).toMatchObject({ status: 409, body: { code: "conflict", detail: expect.stringContaining(way) } });
  const submitted = await ask("POST", at(id, old, "/submit"), owner, {});
  expect(submitted).toMatchObject({ status: 409, body: { detail: expect.stringContaining(way) } });
  expect((await decide(id, old, { grants: { timeoutSeconds: 60 } })).body).toMatchObject({ active: true });
  expect(await skillOf(id)).toMatchObject({ currentVersion: { digest: old }, trust: { signature: "verified" } });
});

test("who may: a reviewer who did not bring it in; an owner within what owners approve alone, in a browser; no agent", async () => {
  const { id, old } = await twoVersions();
  const browser = { headers: await browserOf(database, owner.id) };
  expect(await activate(id, old, other)).toMatchObject({ status: 404 });
  expect(await activate(id, old, owner)).toMatchObject({ status: 403, body: { code: "separation_of_duties" } });
  expect((await activate(id, old, browser)).status).toBe(200);
  const granted = await twoVersions({ class: "mutating" });
  const seen = Version.parse((await ask("GET", at(granted.id, granted.old, ""), browser)).body);
  expect(seen.you).toMatchObject({ mayActivate: false, whyNotActivate: expect.stringContaining("mutating") });
  expect(await activate(granted.id, granted.old, browser)).toMatchObject({
    status: 403,
    body: { code: "separation_of_duties", detail: expect.stringContaining("it is mutating") },
  });
  const theirs = Version.parse((await ask("GET", at(granted.id, granted.old, ""), reviewer)).body);
  expect(theirs.you).toMatchObject({ mayActivate: true, whyNotActivate: null });
  const persona = (
    await ask("POST", "/api/admin/personas", admin, { name: "p", permissionMode: "mutating-with-confirm" })
  ).body;
  const agent = (
    await ask("POST", "/api/tokens", reviewer, { name: "a", scopes: ["read", "write"], persona: persona.id })
  ).body;
  expect(await activate(granted.id, granted.old, agent)).toMatchObject({
    status: 403,
    body: { code: "forbidden", rule: "no-agents" },
  });
  // Others see a public skill, but only its reviewers decide which version is active.
  expect((await ask("PATCH", `/api/skills/${granted.id}`, admin, { visibility: "public" })).status).toBe(200);
  expect(await activate(granted.id, granted.old, other)).toMatchObject({ status: 403, body: { code: "forbidden" } });
});

test("what an approval lacks under today’s policy is named, and can be put right", async () => {
  await settings({ soloMode: true });
  const name = nextName();
  const first = await imported(name, "one", { class: "dangerous" });
  await decide(first.id, first.digest, {});
  const second = await imported(name, "two", { class: "dangerous" });
  await decide(first.id, second.digest, {});
  await settings({ soloMode: false });
  const short = await activate(first.id, first.digest);
  expect(short).toMatchObject({
    status: 409,
    body: {
      code: "not_approved",
      detail: expect.stringContaining("needs the approvals of 2 reviewers"),
      errors: [
        { path: "signatures", message: expect.stringContaining("possible reviewers: Test admin, Test reviewer") },
      ],
    },
  });
  // The same terms need as many new signatures as today's settings require.
  expect((await decide(first.id, first.digest, {})).body).toMatchObject({
    approvals: { given: 1, needed: 2 },
    active: false,
  });
  expect((await decide(first.id, first.digest, {}, admin)).body).toMatchObject({
    approvals: { given: 2 },
    active: false,
  });
  expect((await activate(first.id, first.digest)).status).toBe(200);
  expect(await skillOf(first.id)).toMatchObject({ currentVersion: { digest: first.digest } });
});

test("a deleted credential and an undecided finding block an activation", async () => {
  const stored = { name: "gone-key", description: "", value: "a secret value" };
  const credential = (await ask("POST", "/api/admin/credentials", admin, stored)).body;
  const name = nextName();
  const first = await imported(name, "one");
  const grants = { credentials: [{ slot: "t", credential: "gone-key", as: "env", name: "T" }] };
  expect((await decide(first.id, first.digest, { grants })).status).toBe(200);
  const second = await imported(name, "two");
  await decide(first.id, second.digest, {});
  await call("DELETE", `/api/admin/credentials/${credential.id}?force=true`, { token: admin.token });
  expect(await activate(first.id, first.digest)).toMatchObject({
    status: 409,
    body: {
      errors: [{ path: "grants.credentials.0.credential", message: "the credential gone-key no longer exists" }],
    },
  });

  const { id, old } = await twoVersions();
  await ask("GET", at(id, old, ""), reviewer);
  const version = await database.reader.version.findFirstOrThrow({ where: { skillId: id, digest: old } });
  const finding = {
    ...{ versionId: version.id, rule: "DLX-001", ruleVersion: 1, severity: "high", path: "run.sh" },
    ...{ line: 2, column: 1, endLine: null, text: "x", why: "It may.", view: "source", fingerprint: "0f".repeat(32) },
    ...{ more: 0, position: 900, firstSeenAt: new Date(Date.now() + 60_000) },
  };
  await database.writer.finding.create({ data: finding });
  expect(await activate(id, old)).toMatchObject({
    status: 409,
    body: { errors: [{ path: "findings", message: expect.stringContaining("DLX-001 in run.sh, line 2") }] },
  });
  const dismissal = at(id, old, `/findings/${finding.fingerprint}/dismiss`);
  expect((await ask("POST", dismissal, reviewer, { reason: "It is a comment." })).status).toBe(200);
  expect((await activate(id, old)).status).toBe(200);
});

test("revoked, rejected, waiting and other skills’ versions are refused with the reason", async () => {
  const { id, name, old, now } = await twoVersions();
  await revoke(id, old);
  expect(await activate(id, old)).toMatchObject({
    status: 409,
    body: { code: "not_approved", detail: expect.stringContaining("it was revoked") },
  });
  const third = await imported(name, "three");
  expect((await activate(id, third.digest)).body.detail).toContain("is pending review");
  await decide(id, third.digest, { decision: "reject" });
  expect((await activate(id, third.digest)).body.detail).toContain("was rejected");
  const foreign = await twoVersions();
  expect((await activate(id, foreign.old)).status).toBe(404);
  expect(await skillOf(id)).toMatchObject({ currentVersion: { digest: now } });
});
