import { afterAll, expect, test } from "vitest";
import { detachSessions } from "@/lib/agent/mcp/mcp-sessions";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { browserOf } from "@/lib/testing/browser-of";
import { startModelServer } from "@/lib/testing/model-server";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

const { call, person, database } = await testServer(ROUTE_TABLE);
const [owner, user, reviewer, admin] = [
  await person("user"),
  await person("user"),
  await person("reviewer"),
  await person("admin"),
];
/** Approves the objects of the test, and is none of the callers. */
const approver = await person("reviewer");
const model = await startModelServer(() => ({ text: "hello" }));
afterAll(model.close);
afterAll(detachSessions);

type Who = { token?: string; headers?: Record<string, string> };
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const OTHERS = ["user", "reviewer", "admin", "agentOfOwner", "agentOfUser", "anonymous"] as const;
type Other = (typeof OTHERS)[number];

async function ask(method: string, address: string, who: Who, json?: unknown) {
  const response = await call(method, address, { ...who, ...(json === undefined ? {} : { json }) });
  if (!response.ok) throw new Error(`${method} ${address} answered ${response.status}: ${await response.text()}`);
  return response.status === 204 ? null : response.json();
}

await ask("PATCH", "/api/admin/settings", admin, { soloMode: false });
const { id: persona } = await ask("POST", "/api/admin/personas", admin, {
  name: "Worker",
  permissionMode: "mutating-with-confirm",
});
const agentToken = async (of: Who): Promise<Who & { id: string }> => {
  const json = { name: "agent", scopes: ["read", "run", "write"], persona };
  const { id, token } = await ask("POST", "/api/tokens", of, json);
  return { id, token };
};
const browser = async ({ id }: { id: string }): Promise<Who> => ({ headers: await browserOf(database, id) });

const agentOfOwner = await agentToken(owner);
/** People call as signed-in browsers, so that no call is refused for its kind of sign-in. */
const CALLERS: Record<Other, Who> = {
  user: await browser(user),
  reviewer: await browser(reviewer),
  admin: await browser(admin),
  agentOfOwner,
  agentOfUser: await agentToken(user),
  anonymous: {},
};

await ask("POST", "/api/admin/model-endpoints", admin, {
  ...{ name: "scripted", kind: "openai", baseUrl: model.url, models: ["m"] },
});

/** Part of all content that belongs to the owner alone; no refusal may contain it. */
const slugOf = (name: string) => name.replaceAll("_", "-");
const MARK = "owner-only-words";
type Thing = { id: string; digest: string; more: string };
const thing = (id: string, digest = "", more = ""): Thing => ({ id, digest, more });

async function skill(): Promise<Thing> {
  const name = `p_${newId().replaceAll("-", "_")}`;
  const evals = {
    path: "evals/evals.json",
    mode: "644" as const,
    bytes: Buffer.from(JSON.stringify([{ id: "a", prompt: "Hi", checks: [{ kind: "contains", value: "hello" }] }])),
  };
  const { filename, bytes } = await zipUpload("pack", [...packFiles({ name, manifest: { description: MARK } }), evals]);
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], filename));
  const imported = await (await call("POST", "/api/skills/import", { ...owner, body: form })).json();
  const { id, pendingVersion } = imported.skills[0];
  await ask("POST", `/api/skills/${id}/versions/${pendingVersion.digest}/decisions`, approver, {
    decision: "approve",
    comment: MARK,
  });
  await ask("PATCH", `/api/skills/${id}`, owner, { enabled: true });
  return thing(id, pendingVersion.digest, name);
}

const made = await skill();

const { handle: ownerHandle } = await ask("GET", "/api/publishers/me", owner);

/** A playbook that an agent of the owner can load. */
const playbook = await (async () => {
  const name = `b-${newId()}`;
  const { id } = await ask("POST", "/api/skills", owner, { name, description: MARK, body: `# ${MARK}` });
  const { digest } = (await ask("GET", `/api/skills/${id}/versions`, owner)).items[0];
  await ask("POST", `/api/skills/${id}/versions/${digest}/submit`, owner);
  const decision = { decision: "approve", comment: "" };
  await ask("POST", `/api/skills/${id}/versions/${digest}/decisions`, approver, decision);
  await ask("PATCH", `/api/skills/${id}`, owner, { enabled: true });
  return thing(id, digest, name);
})();

async function draft(): Promise<Thing> {
  const json = { name: `d-${newId()}`, description: MARK, body: `# ${MARK}` };
  const { id } = await ask("POST", "/api/skills", owner, json);
  const { items } = await ask("GET", `/api/skills/${id}/versions`, owner);
  return thing(id, items[0].digest);
}

const run = async (): Promise<Thing> =>
  thing((await ask("POST", `/api/skills/${made.id}/runs`, owner, { args: { text: MARK } })).id);

async function parkedRun(): Promise<Thing> {
  const { id } = await run();
  const expiresAt = new Date(Date.now() + 3_600_000);
  const waits = { state: "awaiting_approval", signatures: 1, gateRule: "test", parkedAt: new Date(), expiresAt };
  await database.writer.run.update({ where: { id }, data: waits });
  return thing(id);
}

async function evaluation(): Promise<Thing> {
  const { id } = await ask("POST", `/api/skills/${(await skill()).id}/evaluations`, owner, {});
  for (;;) {
    const { state } = await ask("GET", `/api/evaluations/${id}`, owner);
    if (state !== "running") return thing(id);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function step(): Promise<Thing> {
  const { id } = await ask("POST", "/api/agent/sessions", agentOfOwner, { client: MARK });
  const headers = { ...bearer(agentOfOwner), "x-agent-session": id };
  await ask("POST", "/api/agent/tools/use_skill", { headers }, { name: playbook.more });
  const { id: step } = await database.reader.agentStep.findFirstOrThrow({ where: { sessionId: id } });
  return thing(id, "", step);
}

const bearer = ({ token }: Who): Record<string, string> => ({ authorization: `Bearer ${token}` });

async function session(): Promise<Thing> {
  await browserOf(database, owner.id);
  const { id } = await database.reader.session.findFirstOrThrow({
    where: { userId: owner.id, revokedAt: null },
    orderBy: { id: "desc" },
  });
  return thing(id);
}

async function signIn(): Promise<Thing> {
  const [id, at] = [newId(), new Date()];
  const row = { id, userId: owner.id, provider: "github", issuer: "https://github.com", subject: id, label: MARK };
  await database.writer.connectedSignIn.create({ data: { ...row, createdAt: at, lastUsedAt: at } });
  return thing(id);
}

async function ownSshKey(): Promise<Thing> {
  const [id, createdAt] = [newId(), new Date()];
  const row = { id, userId: owner.id, name: MARK, publicKey: `ssh-ed25519 ${id}`, fingerprint: `SHA256:${id}` };
  await database.writer.sshKey.create({ data: { ...row, createdAt } });
  return thing(id);
}

async function deviceLogin(): Promise<Thing> {
  const { user_code } = await ask("POST", "/api/cli/device/code", {}, { label: "laptop" });
  await ask("POST", `/api/device-logins/${user_code}`, await browser(owner), { decision: "approve" });
  return thing(user_code);
}

async function upload(): Promise<Thing> {
  const size = MARK.length;
  const json = { path: "SKILL.md", size, sha256: sha256Hex(MARK) };
  const { uploadUrl } = await ask("POST", "/api/v1/skills/-/upload-url", owner, json);
  return thing(new URL(uploadUrl).searchParams.get("id") ?? "");
}

const created =
  (address: string, json: object, as: Who = owner) =>
  async () =>
    thing((await ask("POST", address, as, json)).id);

async function collection(): Promise<Thing> {
  const json = { title: `c ${newId()}`, description: MARK };
  const { slug } = await ask("POST", "/api/collections", owner, json);
  await ask("POST", `/api/collections/${slug}/skills`, owner, { skill: made.id });
  return thing(slug);
}

async function star(): Promise<Thing> {
  await ask("PUT", `/api/skills/${made.id}/star`, owner);
  return thing(made.id, "", slugOf(made.more));
}

async function handle(): Promise<Thing> {
  // Uses a new person each time, because a person has one publisher only.
  const { handle: id } = await ask("GET", "/api/publishers/me", await person("user"));
  return thing(id);
}

async function invitation(): Promise<Thing> {
  const json = { email: `${newId()}@example.test`, name: MARK, role: "user" };
  return thing((await ask("POST", "/api/admin/users", admin, json)).user.id);
}

async function mcpSession(): Promise<Thing> {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: MARK, version: "1" } };
  const response = await call("POST", "/mcp", {
    headers: { ...bearer(agentOfOwner), ...MCP },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
  return thing(response.headers.get("mcp-session-id") ?? "");
}
const MCP = { accept: "application/json, text/event-stream", "content-type": "application/json" };

async function finding(): Promise<Thing> {
  const { id, digest } = await skill();
  const { id: versionId } = await database.reader.version.findFirstOrThrow({ where: { skillId: id } });
  const fingerprint = sha256Hex(id);
  const found = { rule: "walked", ruleVersion: 1, severity: "medium", text: MARK, why: MARK, view: "text", more: 0 };
  const place = { position: 0, path: "SKILL.md", line: 1, column: 1 };
  await database.writer.finding.create({
    data: { versionId, fingerprint, ...place, ...found, firstSeenAt: new Date() },
  });
  return thing(id, digest, fingerprint);
}

async function event(): Promise<Thing> {
  await ask("POST", "/api/tokens", owner, { name: MARK, scopes: ["read"] });
  const { seq } = await database.reader.auditEvent.findFirstOrThrow({
    where: { actorId: owner.id, action: "token.create" },
    orderBy: { seq: "desc" },
  });
  return thing(String(seq));
}

async function analysis(): Promise<Thing> {
  const { id, digest } = await skill();
  const version = await database.reader.version.findFirstOrThrow({ where: { skillId: id, digest } });
  const analysisId = newId();
  const failed = { state: "failed", failure: MARK, steps: "[]", stepSeconds: 5, createdAt: new Date() };
  await database.writer.analysis.create({
    data: { id: analysisId, versionId: version.id, digest, requestedByName: MARK, ...failed },
  });
  return thing(id, digest, analysisId);
}

const REPORT = { reason: "other", text: MARK };
const OVERLAY = { toml: `[optimized]\ndescription = "${MARK}"\n` };
const report = async () => thing((await ask("POST", `/api/skills/${(await skill()).id}/reports`, owner, REPORT)).id);
const overlay = async () => thing((await ask("POST", `/api/skills/${(await skill()).id}/overlays`, owner, OVERLAY)).id);
const conversation = created("/api/playground/conversations", {});
const daily = { name: "daily", skill: made.id, args: { text: MARK }, cron: "0 3 * * *", confirm: true };

/** The callers besides the owner who are accepted. All others are refused, and neither learn nor change anything. */
type Ask = [
  method: string,
  address: (of: Thing) => string,
  may: Other[],
  json?: object,
  headers?: (of: Thing) => object,
];
type Owned = { isOver?: true; make: () => Promise<Thing>; row: (of: Thing) => Promise<unknown>; asks: Ask[] };
const SEERS: Other[] = ["reviewer", "admin"];
const WITH_AGENT: Other[] = [...SEERS, "agentOfOwner"];

const db = database.reader;
const byId =
  (find: (args: { where: { id: string } }) => Promise<unknown>) =>
  ({ id }: Thing) =>
    find({ where: { id } });
const skillRow = async ({ id }: Thing) => [
  await db.skill.findUnique({ where: { id } }),
  await db.version.findMany({ where: { skillId: id }, include: { decisions: true } }),
  await db.star.count({ where: { skillId: id } }),
];
const s = (rest: string) => (of: Thing) => `/api/skills/${of.id}${rest}`;
const v = (rest: string) => (of: Thing) => `/api/skills/${of.id}/versions/${of.digest}${rest}`;
const at =
  (folder: string, rest = "") =>
  ({ id }: Thing) =>
    `${folder}/${id}${rest}`;

const OWNED: Record<string, Owned> = {
  "a private skill": {
    make: skill,
    row: skillRow,
    asks: [
      ["GET", s(""), WITH_AGENT],
      ["GET", s("/access"), WITH_AGENT],
      ["GET", s("/export"), WITH_AGENT],
      ["GET", s("/instructions"), WITH_AGENT],
      ["GET", s("/versions"), WITH_AGENT],
      ["GET", v(""), WITH_AGENT],
      ["GET", v("/files/skill.json"), WITH_AGENT],
      ["GET", v("/advice"), SEERS],
      ["GET", v("/approval"), SEERS],
      ["GET", v("/attestation"), WITH_AGENT],
      ["GET", v("/attestation/signed-bytes"), SEERS],
      ["GET", v("/attestation/ssh-signatures"), WITH_AGENT],
      ["GET", v("/bill-of-materials"), SEERS],
      ["GET", v("/packages"), SEERS],
      ["GET", v("/findings/sarif"), SEERS],
      ["GET", v("/diff"), SEERS],
      ["GET", v("/entries"), SEERS],
      ["GET", v("/evals"), SEERS],
      ["GET", v("/foreign-reviews"), SEERS],
      ["GET", v("/near-copies"), SEERS],
      ["GET", v("/tools"), SEERS],
      ["GET", s("/evaluations"), SEERS],
      ["GET", s("/overlays"), SEERS],
      ["GET", s("/update"), SEERS],
      ["DELETE", s("/adoption"), SEERS],
      ["PATCH", s(""), ["admin"], { category: "x" }],
      ["POST", s("/deprecate"), ["admin"], { reason: "Old." }],
      ["DELETE", s("/deprecate"), ["admin"]],
      ["PUT", s("/star"), SEERS],
      ["POST", s("/reports"), SEERS, REPORT],
      ["POST", s("/overlays"), ["admin"], OVERLAY],
      ["POST", s("/evaluations"), SEERS, {}],
      ["POST", s("/optimize"), ["admin"], {}],
      ["POST", s("/adoption"), []],
      ["POST", s("/publish"), ["admin"], {}],
      ["POST", s("/update"), ["admin"], {}],
      ["POST", s("/runs"), WITH_AGENT, { args: { text: "x" } }],
      [
        "POST",
        s("/versions"),
        ["admin"],
        { files: [{ path: "SKILL.md", text: "---\nname: x\ndescription: y\n---\n" }], baseDigest: "0".repeat(64) },
      ],
      ["POST", v("/decisions"), SEERS, { decision: "revoke", comment: "No." }],
      ["POST", v("/activate"), SEERS],
      ["DELETE", s(""), ["admin"]],
    ],
  },
  "a private playbook, at the distribution endpoints": {
    // Reviewers can read it on its page, but their clients are not offered it.
    make: async () => playbook,
    row: skillRow,
    asks: [
      ["GET", ({ more }) => `/api/v1/skills/${more}`, ["agentOfOwner"]],
      ["GET", ({ more }) => `/api/v1/skills/${more}/file?path=SKILL.md`, ["agentOfOwner"]],
      ["GET", ({ more }) => `/api/v1/skills/${more}/install`, ["agentOfOwner"]],
      ["GET", ({ more }) => `/api/v1/skills/${more}/moderation`, ["agentOfOwner"]],
      ["GET", ({ more }) => `/api/v1/skills/${more}/verify`, ["agentOfOwner"]],
      ["GET", ({ more }) => `/api/v1/skills/${more}/versions`, ["agentOfOwner"]],
      ["GET", ({ more }) => `/api/v1/skills/${more}/versions/1.0.0`, ["agentOfOwner"]],
      ["GET", at("/v1/skills"), ["agentOfOwner"]],
      ["GET", at("/v1/skills", "/versions"), ["agentOfOwner"]],
      ["GET", at("/v1/skills", "/versions/1"), ["agentOfOwner"]],
      ["GET", at("/v1/skills", "/versions/1/content"), ["agentOfOwner"]],
      ["GET", ({ more, digest }) => `/api/distribution/artifacts/root/${more}/${digest}.zip`, ["agentOfOwner"]],
      ["GET", ({ more }) => `/api/distribution/oci/${ownerHandle}/${more}/tags/list`, ["agentOfOwner"]],
      ["GET", ({ more }) => `/api/distribution/oci/${ownerHandle}/${more}/manifests/latest`, ["agentOfOwner"]],
      ["GET", ({ more }) => `/api/distribution/marketplace/s~${ownerHandle}~${more}`, ["agentOfOwner"]],
      [
        "GET",
        ({ more }) => `/api/distribution/well-known/s~${ownerHandle}~${more}/agent-skills/index.json`,
        ["agentOfOwner"],
      ],
    ],
  },
  "a finding": {
    make: finding,
    row: ({ more }) => db.findingDismissal.findMany({ where: { fingerprint: more } }),
    asks: [
      [
        "POST",
        ({ id, digest, more }) => `/api/skills/${id}/versions/${digest}/findings/${more}/dismiss`,
        SEERS,
        { reason: "Meant." },
      ],
      ["DELETE", ({ id, digest, more }) => `/api/skills/${id}/versions/${digest}/findings/${more}/dismiss`, SEERS],
    ],
  },
  "a dry run": {
    make: analysis,
    row: ({ more }) => db.analysis.findUnique({ where: { id: more } }),
    asks: [
      ["GET", v("/analyses"), SEERS],
      ["GET", ({ id, digest, more }) => `/api/skills/${id}/versions/${digest}/analyses/${more}`, SEERS],
      ["POST", v("/analyses"), SEERS, { stepSeconds: 5 }],
      ["DELETE", ({ id, digest, more }) => `/api/skills/${id}/versions/${digest}/analyses/${more}`, SEERS],
    ],
  },
  "an event of the audit log": {
    make: event,
    row: ({ id }) => db.auditEvent.findUnique({ where: { seq: Number(id) } }),
    asks: [["GET", at("/api/audit"), SEERS]],
  },
  "a draft": {
    make: draft,
    row: skillRow,
    asks: [
      ["GET", s(""), WITH_AGENT],
      ["GET", v(""), WITH_AGENT],
      ["GET", v("/files/SKILL.md"), WITH_AGENT],
      ["PUT", v("/changelog"), ["admin"], { changelog: "New." }],
      ["POST", v("/submit"), ["admin"]],
      ["POST", v("/decisions"), SEERS, { decision: "approve", comment: "" }],
    ],
  },
  "a run": {
    make: run,
    row: byId((args) => db.run.findUnique(args)),
    asks: [
      ["GET", at("/api/runs"), WITH_AGENT],
      ["GET", at("/api/runs", "/events"), WITH_AGENT],
      ["GET", at("/api/runs", "/steps"), WITH_AGENT],
      ["GET", at("/api/traces"), SEERS],
      ["PUT", at("/api/traces", "/rating"), SEERS, { rating: 1 }],
      ["POST", at("/api/runs", "/cancel"), ["admin"]],
    ],
  },
  "a run that waits": {
    make: parkedRun,
    row: byId((args) => db.run.findUnique({ ...args, include: { decisions: true } })),
    asks: [["POST", at("/api/runs", "/decisions"), SEERS, { decision: "reject", comment: "No." }]],
  },
  "an evaluation": {
    make: evaluation,
    row: byId((args) => db.evalRun.findUnique({ ...args, include: { results: true } })),
    asks: [
      ["GET", at("/api/evaluations"), SEERS],
      ["POST", at("/api/evaluations", "/cancel"), SEERS],
    ],
  },
  "a conversation": {
    make: conversation,
    row: byId((args) => db.conversation.findUnique({ ...args, include: { turns: true } })),
    asks: [
      ["GET", at("/api/playground/conversations"), []],
      ["POST", at("/api/playground/conversations", "/messages"), [], { text: "Hello" }],
      ["POST", at("/api/playground/conversations", "/stop"), []],
      ["DELETE", at("/api/playground/conversations"), []],
    ],
  },
  "a report": {
    make: report,
    row: byId((args) => db.report.findUnique(args)),
    asks: [
      ["GET", at("/api/admin/reports"), ["admin"]],
      ["PATCH", at("/api/admin/reports"), ["admin"], { resolution: "no_action", note: "It works." }],
    ],
  },
  "an overlay": {
    make: overlay,
    row: byId((args) => db.overlay.findUnique(args)),
    asks: [
      ["GET", at("/api/overlays"), SEERS],
      ["GET", at("/api/overlays", "/optimized.toml"), SEERS],
      ["POST", at("/api/overlays", "/decisions"), SEERS, { decision: "reject", comment: "No." }],
    ],
  },
  "a session of an agent": {
    make: step,
    row: byId((args) => db.agentSession.findUnique({ where: args.where, include: { steps: true } })),
    asks: [
      ["GET", at("/api/agent/sessions"), ["admin"]],
      ["GET", ({ more }) => `/api/traces/${more}`, SEERS],
      ["PUT", ({ more }) => `/api/traces/${more}/rating`, SEERS, { rating: 1 }],
      ["GET", () => "/api/agent/preamble", ["agentOfOwner"], undefined, ({ id }) => ({ "x-agent-session": id })],
      ["POST", () => "/api/agent/tools/list_skills", ["agentOfOwner"], {}, ({ id }) => ({ "x-agent-session": id })],
    ],
  },
  "a session of MCP": {
    make: mcpSession,
    row: async () => null,
    asks: [["DELETE", () => "/mcp", ["agentOfOwner"], undefined, ({ id }) => ({ ...MCP, "mcp-session-id": id })]],
  },
  "a session": {
    make: session,
    row: byId((args) => db.session.findUnique(args)),
    asks: [["DELETE", at("/api/sessions"), ["admin"]]],
  },
  "a sign-in elsewhere": {
    make: signIn,
    row: byId((args) => db.connectedSignIn.findUnique(args)),
    asks: [["DELETE", at("/api/me/sign-ins"), []]],
  },
  "an SSH key": {
    make: ownSshKey,
    row: byId((args) => db.sshKey.findUnique(args)),
    asks: [["DELETE", at("/api/me/ssh-keys"), []]],
  },
  "a token": {
    make: created("/api/tokens", { name: MARK, scopes: ["read"] }),
    row: byId((args) => db.apiToken.findUnique(args)),
    asks: [
      ["GET", at("/api/tokens"), ["admin"]],
      ["DELETE", at("/api/tokens"), ["admin"]],
    ],
  },
  "a capability URL": {
    make: created("/api/capability-urls", { name: MARK }),
    row: byId((args) => db.capabilityUrl.findUnique(args)),
    asks: [["DELETE", at("/api/capability-urls"), ["admin"]]],
  },
  "a saved view": {
    make: async () => created("/api/audit/views", { name: `v ${newId()}`, query: "action=run" })(),
    row: byId((args) => db.savedView.findUnique(args)),
    asks: [
      ["PATCH", at("/api/audit/views"), [], { name: "Mine" }],
      ["DELETE", at("/api/audit/views"), []],
    ],
  },
  "a collection": {
    make: collection,
    row: ({ id }) => db.collection.findUnique({ where: { slug: id }, include: { skills: true } }),
    asks: [
      ["GET", at("/api/collections"), SEERS],
      ["PATCH", at("/api/collections"), ["admin"], { title: "Mine" }],
      ["POST", at("/api/collections", "/skills"), ["admin"], { skill: made.id }],
      ["PUT", at("/api/collections", "/skills"), ["admin"], { skills: [made.id] }],
      ["DELETE", ({ id }) => `/api/collections/${id}/skills/${made.id}`, ["admin"]],
      ["DELETE", at("/api/collections"), ["admin"]],
    ],
  },
  "a schedule": {
    make: created("/api/schedules", daily),
    row: byId((args) => db.schedule.findUnique(args)),
    asks: [
      ["GET", at("/api/schedules"), SEERS],
      ["PATCH", at("/api/schedules"), [], { name: "Mine" }],
      ["POST", at("/api/schedules", "/run"), [], {}],
      ["DELETE", at("/api/schedules"), ["admin"]],
    ],
  },
  "a star": {
    make: star,
    row: ({ id }) => db.star.findMany({ where: { skillId: id, userId: owner.id } }),
    asks: [
      // Each caller removes their own star only; the owner's star stays.
      ["DELETE", s("/star"), SEERS],
      ["POST", ({ more }) => `/api/v1/stars/${more}`, SEERS],
      ["DELETE", ({ more }) => `/api/v1/stars/${more}`, SEERS],
    ],
  },
  "a handle": {
    make: handle,
    row: ({ id }) => db.publisher.findUnique({ where: { handle: id } }),
    asks: [
      ["GET", at("/api/publishers"), SEERS],
      ["PATCH", at("/api/publishers"), ["admin"], { bio: "Mine." }],
      ["PUT", at("/api/publishers", "/verification"), ["admin"]],
      ["DELETE", at("/api/publishers", "/verification"), ["admin"]],
    ],
  },
  "a device login that its person has answered": {
    isOver: true,
    make: deviceLogin,
    row: ({ id }) => db.deviceLogin.findUnique({ where: { userCode: id } }),
    asks: [
      ["GET", at("/api/device-logins"), []],
      ["POST", at("/api/device-logins"), [], { decision: "approve" }],
    ],
  },
  "an upload": {
    make: upload,
    row: byId((args) => db.uploadTicket.findUnique({ where: args.where })),
    asks: [["POST", ({ id }) => `/api/v1/skills/-/upload?id=${id}`, []]],
  },
  "a credential": {
    make: async () =>
      created("/api/admin/credentials", { name: `k-${newId().slice(-12)}`, value: `${MARK}-value` }, admin)(),
    row: byId((args) => db.credential.findUnique(args)),
    asks: [
      ["PATCH", at("/api/admin/credentials"), ["admin"], { description: "Mine." }],
      ["DELETE", at("/api/admin/credentials"), ["admin"]],
    ],
  },
  "a person": {
    make: invitation,
    row: byId((args) => db.user.findUnique(args)),
    asks: [
      ["GET", at("/api/admin/users"), ["admin"]],
      ["GET", at("/api/admin/users", "/quotas"), ["admin"]],
      ["PATCH", at("/api/admin/users", "/quotas"), ["admin"], { runsPerHour: 7 }],
      ["POST", at("/api/admin/users", "/invite"), ["admin"], {}],
      ["PATCH", at("/api/admin/users"), ["admin"], { name: "Mine" }],
      ["DELETE", at("/api/admin/users"), ["admin"]],
    ],
  },
  "the backups": {
    make: async () => thing(""),
    row: async () => null,
    asks: [["GET", () => "/api/admin/backups", ["admin"]]],
  },
};

/** Routes with a parameter that does not name an object of a person. */
const NOT_OWNED: [shape: RegExp, why: string][] = [
  [
    / \/api\/admin\/(catalog-sources|foreign-instances|jobs|model-endpoints|personas|sop-keys|sops|workers)\//,
    "the instance's: access-matrix.test.ts asks who is an admin",
  ],
  [
    /\/near-copies\/\[hash\]$/,
    "text of a list that names only what the caller sees: lib/catalog/overlap/near-copies.test.ts",
  ],
  [/ \/api\/catalog\/\[id\]/, "what repositories offer to every user"],
  [/ \/api\/catalog\/install\/\[progressId\]$/, "an id that its person chose, kept in memory under the person's own"],
  [/ \/api\/integrations\/\[domain\]\/setup$/, "a domain has no owner, and its skills are skills"],
  [/ \/api\/distribution\/git/, "a repository of what its caller sees: app/api/distribution"],
  [/^(POST|PUT|PATCH|DELETE) \/api\/distribution\/oci/, "refuses every write"],
  [/^POST .*\/ssh-signatures$/, "for approvers of what they see: lib/review/attest/ssh-signatures.test.ts"],
  [/\/versions\/\[digest\]\/pipeline$/, "steps of a pipeline, read as its version is"],
  [/ \/api\/worker\//, "for workers: lib/runner"],
  [/^POST \/api\/catalog-hooks\//, "for hosts that prove the secret of a webhook: lib/catalog/webhooks"],
  [/ \/api\/(auth\/\[\.\.\.nextauth\]|invites\/\[token\])$/, "for callers without an account"],
  [/ \/(api|v1)\/\[\.\.\.unknown\]$/, "nothing is there"],
  [/ \/connect\/claude-code\/\[file\]$/, "two public files"],
];

const CASES = Object.entries(OWNED).flatMap(([what, { asks }]) =>
  asks.map(([method, address], index) => ({ what, method, path: address(thing("ID", "DIGEST", "NAME")), index })),
);

async function send(who: Who, [method, address, , json, headersOf]: Ask, of: Thing) {
  const { token, headers } = who;
  const all = { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}), ...headersOf?.(of) };
  const response = await call(method, address(of), { headers: all, ...(json ? { json } : {}) });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (isStream) await response.body?.cancel();
  const text = isStream ? "" : await response.text();
  const isRefused = [401, 403, 404].includes(response.status);
  return { text, answer: isRefused ? response.status : response.status < 500 ? "let in" : text };
}

test.each(CASES)("$what: $method $path lets in whom it should, and others learn and change nothing", async (one) => {
  const { make, row, asks, isOver } = OWNED[one.what] ?? expect.fail();
  const asked = asks[one.index] ?? expect.fail();
  const may = asked[2];
  const answered: Record<string, unknown> = {};
  const kept = await make();
  const before = await row(kept);
  for (const who of OTHERS) {
    if (may.includes(who)) answered[who] = (await send(CALLERS[who], asked, await make())).answer;
    else {
      const { text, answer } = await send(CALLERS[who], asked, kept);
      answered[who] = [404, who === "anonymous" ? 401 : 403].includes(Number(answer)) ? "refused" : text;
      expect(text, who).not.toContain(MARK);
    }
  }
  expect(answered).toEqual(Object.fromEntries(OTHERS.map((who) => [who, may.includes(who) ? "let in" : "refused"])));
  expect(await row(kept)).toEqual(before);
  // Control: the owner is accepted, so the refusals above are not caused by a wrong address.
  if (may.length === 0 && !isOver)
    expect((await send(await browser(owner), asked, await make())).answer).toBe("let in");
});

test("every route that names a thing by its id asks for one here, or stands here with the reason why not", () => {
  const tried = new Set(CASES.map(({ method, path }) => `${method} ${path}`));
  const shapeOf = (path: string) =>
    new RegExp(`^${path.replace(/\[\.\.\.\w+\]/g, ".+").replace(/\[\w+\]/g, "[^/]+")}$`);
  const left = ROUTE_TABLE.flatMap(([path, module]) =>
    METHODS.filter((method) => method in module && path.includes("["))
      .map((method) => `${method} ${path}`)
      .filter(
        (name) =>
          ![...tried].some(
            (one) => shapeOf(path).test(one.split(/[ ?]/)[1] ?? "") && one.startsWith(name.split(" ")[0] ?? ""),
          ),
      )
      .filter((name) => !NOT_OWNED.some(([shape]) => shape.test(name))),
  );
  expect(left).toEqual([]);
});
