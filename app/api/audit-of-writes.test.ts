import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { hashPassword } from "@/lib/auth/people/passwords";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { browserOf } from "@/lib/testing/browser-of";
import { breakSink, listTables, repairSink } from "@/lib/testing/outside";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

// Set before the logger is created: each failed write to the audit logs an error.
vi.hoisted(() => {
  process.env.SKILLGATE_LOG_LEVEL = "silent";
});

const WRITES = ["POST", "PUT", "PATCH", "DELETE"] as const;
const { call, person, worker, database, outside } = await testServer(ROUTE_TABLE);
const [admin, reviewer, user] = [await person("admin"), await person("reviewer"), await person("user")];
const [machine, doomed] = [await worker(), await worker()];
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PASSWORD = "quiet-harbour-lantern";
const integrations = mkdtempSync(join(tmpdir(), "skillgate-integrations-"));
process.env.SKILLGATE_INTEGRATIONS_DIR = integrations;
mkdirSync(join(integrations, "mail", "skills", "sort-inbox"), { recursive: true });
writeFileSync(join(integrations, "mail", "manifest.yaml"), "name: Mail\nversion: 1.0\ndescription: Reads mail.\n");
writeFileSync(join(integrations, "mail", "skills", "sort-inbox", "SKILL.md"), playbookOf("sort-inbox"));
afterAll(() => rmSync(integrations, { recursive: true, force: true }));
await database.writer.user.update({ where: { id: user.id }, data: { passwordHash: await hashPassword(PASSWORD) } });

/** Results of earlier steps, by name. */
const known: Record<string, string> = {};
type Answer = { status: number; body: Record<string, never> & { [name: string]: never }; headers: Headers };
type Asked = {
  address: string;
  json?: unknown;
  form?: () => Promise<FormData>;
  body?: string;
  as?: { token?: string; headers?: Record<string, string> };
};
type Learn = (body: never, headers: Headers) => void | Promise<void>;
type Step = [route: string, ask: () => Asked | Promise<Asked>, learn?: Learn];

function playbookOf(name: string): string {
  return `---\nname: ${name}\ndescription: Handles mail.\n---\n\n# Mail\n\nSort it.\n`;
}

async function packForm(name: string, runClass = "safe"): Promise<FormData> {
  const { filename, bytes } = await zipUpload("pack", packFiles({ name, manifest: { class: runClass } }));
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], filename));
  return form;
}

const skill = (rest = "") => `/api/skills/${known.skill}${rest}`;
const version = (rest: string) => skill(`/versions/${known.digest}${rest}`);
const by = (who: { token: string }) => ({ token: who.token });
const signed = (text: string) => sign("sha256", Buffer.from(text), privateKey).toString("base64");
const browser = async (who: { id: string }) => ({ headers: await browserOf(database, who.id) });
const typed = (token: string, type: string) => ({ token, headers: { "content-type": type } });
const mcp = () => ({
  token: admin.token,
  headers: {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...(known.mcp === undefined ? {} : { "mcp-session-id": known.mcp }),
  },
});

const VERIFIER = "v".repeat(64);
const authorization = () => ({
  client_id: known.program ?? "",
  redirect_uri: "http://127.0.0.1:9/back",
  response_type: "code",
  code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
  code_challenge_method: "S256",
});

function failedOutcome() {
  const at = new Date().toISOString();
  const how = { exitCode: 1, signal: null, timedOut: false, truncated: false, startedAt: at, finishedAt: at };
  return {
    error: { code: "exit_nonzero", message: "It fails." },
    ...how,
    durationMs: 1,
    stdout: "",
    stderr: "",
    rawOutput: null,
  };
}

/** The inventory of a worker: one folder with one file. */
const UPLOADED = playbookOf("walked-upload");
const HELD = playbookOf("walked-folder");
const inventory = () => ({
  items: [
    {
      kind: "directory",
      root: "/srv",
      path: "/srv/walked-folder",
      files: [{ path: "SKILL.md", mode: "644", sha256: sha256Hex(HELD), size: HELD.length }],
    },
  ],
  problems: [],
});
const ABLE = { kind: "available", tracer: "strace 6.1", network: "recorder" };
const exchange = (more: object = {}) => ({
  address: "/api/worker/exchange",
  json: { slots: 0, waitSeconds: 0, holding: [], events: [], completions: [], ...more },
  as: by(machine),
});

/** One request for each route, in an order in which each can succeed. */
const STEPS: Step[] = [
  [
    "POST /api/skills/import",
    () => ({ address: "/api/skills/import", form: () => packForm("walked_pack", "mutating") }),
    ({ skills: [made] }: { skills: { id: string; slug: string; pendingVersion: { digest: string } }[] }) => {
      known.skill = made?.id ?? "";
      known.slug = made?.slug ?? "";
      known.digest = made?.pendingVersion.digest ?? "";
    },
  ],
  [
    "POST /api/skills/[id]/versions/[digest]/decisions",
    () => ({ address: version("/decisions"), json: { decision: "approve", comment: "Read." }, as: by(reviewer) }),
  ],
  ["PATCH /api/skills/[id]", () => ({ address: skill(), json: { enabled: true } })],
  [
    "POST /api/skills/[id]/runs",
    () => ({ address: skill("/runs"), json: { args: { text: "x" }, confirm: true } }),
    ({ id }: { id: string }) => {
      known.run = id;
    },
  ],
  ["PUT /api/traces/[id]/rating", () => ({ address: `/api/traces/${known.run}/rating`, json: { rating: 1 } })],
  ["POST /api/runs/[id]/cancel", () => ({ address: `/api/runs/${known.run}/cancel`, json: {} })],
  ["POST /api/runs/cancel", async () => ({ address: "/api/runs/cancel", json: { ids: [await anotherRun()] } })],
  [
    "POST /api/runs/[id]/decisions",
    async () => ({ address: `/api/runs/${await parkedRun()}/decisions`, json: { decision: "reject", comment: "No." } }),
  ],
  [
    "POST /api/skills",
    () => ({ address: "/api/skills", json: { name: "walked-notes", description: "Notes.", body: "# Notes" } }),
    async ({ id }: { id: string }) => {
      known.draft = id;
      known.draftDigest = (await database.reader.version.findFirstOrThrow({ where: { skillId: id } })).digest;
    },
  ],
  [
    "POST /api/skills/[id]/versions",
    () => ({
      address: `/api/skills/${known.draft}/versions`,
      json: {
        baseDigest: known.draftDigest,
        files: [{ path: "SKILL.md", text: "---\nname: walked-notes\ndescription: More.\n---\n" }],
      },
    }),
  ],
  [
    "PUT /api/skills/[id]/versions/[digest]/changelog",
    () => ({
      address: `/api/skills/${known.draft}/versions/${known.draftDigest}/changelog`,
      json: { changelog: "First." },
    }),
  ],
  [
    "POST /api/skills/[id]/versions/[digest]/activate",
    async () => ({ address: `${await olderVersion()}/activate`, json: {}, as: by(reviewer) }),
  ],
  ["PUT /api/skills/[id]/star", () => ({ address: skill("/star") })],
  ["DELETE /api/skills/[id]/star", () => ({ address: skill("/star") })],
  ["POST /api/skills/[id]/deprecate", () => ({ address: skill("/deprecate"), json: { reason: "Old." } })],
  ["DELETE /api/skills/[id]/deprecate", () => ({ address: skill("/deprecate") })],
  [
    "POST /api/skills/[id]/reports",
    () => ({ address: skill("/reports"), json: { reason: "broken", text: "It fails." } }),
    ({ id }: { id: string }) => {
      known.report = id;
    },
  ],
  [
    "PATCH /api/admin/reports/[id]",
    () => ({ address: `/api/admin/reports/${known.report}`, json: { resolution: "no_action", note: "It works." } }),
  ],
  [
    "POST /api/collections",
    () => ({ address: "/api/collections", json: { title: "Walked" } }),
    ({ slug }: { slug: string }) => {
      known.collection = slug;
    },
  ],
  [
    "PATCH /api/collections/[slug]",
    () => ({ address: `/api/collections/${known.collection}`, json: { description: "Some." } }),
  ],
  [
    "POST /api/collections/[slug]/skills",
    () => ({ address: `/api/collections/${known.collection}/skills`, json: { skill: known.skill } }),
  ],
  [
    "DELETE /api/collections/[slug]/skills/[skillId]",
    () => ({ address: `/api/collections/${known.collection}/skills/${known.skill}` }),
  ],
  [
    "PUT /api/collections/[slug]/skills",
    async () => {
      known.ordered ??= await whole(async () => {
        for (const skill of [known.skill, known.draft]) {
          const as = { token: admin.token, json: { skill } };
          await call("POST", `/api/collections/${known.collection}/skills`, as);
        }
        return "yes";
      });
      return { address: `/api/collections/${known.collection}/skills`, json: { skills: [known.draft, known.skill] } };
    },
  ],
  ["DELETE /api/collections/[slug]", () => ({ address: `/api/collections/${known.collection}` })],
  [
    "POST /api/schedules",
    () => ({
      address: "/api/schedules",
      json: { name: "daily", skill: known.skill, args: { text: "x" }, cron: "0 3 * * *", confirm: true },
    }),
    learnId("schedule"),
  ],
  ["PATCH /api/schedules/[id]", () => ({ address: `/api/schedules/${known.schedule}`, json: { name: "nightly" } })],
  ["POST /api/schedules/[id]/run", () => ({ address: `/api/schedules/${known.schedule}/run`, json: {} })],
  ["DELETE /api/schedules/[id]", () => ({ address: `/api/schedules/${known.schedule}` })],
  [
    "POST /api/tokens",
    () => ({ address: "/api/tokens", json: { name: "walked", scopes: ["read"] } }),
    learnId("token"),
  ],
  ["DELETE /api/tokens/[id]", () => ({ address: `/api/tokens/${known.token}` })],
  [
    "POST /api/admin/personas",
    () => ({ address: "/api/admin/personas", json: { name: "Walker", permissionMode: "read-only" } }),
    learnId("persona"),
  ],
  [
    "PATCH /api/admin/personas/[id]",
    () => ({ address: `/api/admin/personas/${known.persona}`, json: { name: "Runner" } }),
  ],
  [
    "POST /api/oauth/register",
    () => ({
      address: "/api/oauth/register",
      body: JSON.stringify({ redirect_uris: [authorization().redirect_uri], client_name: "Walker" }),
      as: { headers: { "content-type": "application/json" } },
    }),
    ({ client_id }: { client_id: string }) => {
      known.program = client_id;
    },
  ],
  [
    "POST /api/oauth/consent",
    async () => ({
      address: "/api/oauth/consent",
      json: { decision: "allow", request: authorization(), persona: await aPersona(), days: 7 },
      as: await browser(admin),
    }),
    ({ returnTo }: { returnTo: string }) => {
      known.code = new URL(returnTo).searchParams.get("code") ?? "";
    },
  ],
  [
    "POST /api/oauth/token",
    () => ({
      address: "/api/oauth/token",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: known.code ?? "",
        client_id: known.program ?? "",
        redirect_uri: authorization().redirect_uri,
        code_verifier: VERIFIER,
      }).toString(),
      as: { headers: { "content-type": "application/x-www-form-urlencoded" } },
    }),
  ],
  ["DELETE /api/admin/personas/[id]", () => ({ address: `/api/admin/personas/${known.persona}` })],
  ["PATCH /api/admin/settings", () => ({ address: "/api/admin/settings", json: { instanceName: "Walked" } })],
  [
    "PUT /api/admin/eligibility",
    () => ({ address: "/api/admin/eligibility", json: { entries: {}, config: { site: "north" } } }),
  ],
  ["POST /api/admin/jobs/[name]/run", () => ({ address: "/api/admin/jobs/ageing/run", json: {} })],
  [
    "POST /api/admin/credentials",
    () => ({ address: "/api/admin/credentials", json: { name: "walked-key", value: "s3cret-value-1" } }),
    learnId("credential"),
  ],
  [
    "PATCH /api/admin/credentials/[id]",
    () => ({ address: `/api/admin/credentials/${known.credential}`, json: { value: "s3cret-value-2" } }),
  ],
  ["DELETE /api/admin/credentials/[id]", () => ({ address: `/api/admin/credentials/${known.credential}` })],
  [
    "POST /api/admin/users",
    () => ({ address: "/api/admin/users", json: { email: "walked@example.test", name: "Walked", role: "user" } }),
    ({ user: { id } }: { user: { id: string } }) => {
      known.user = id;
    },
  ],
  ["PATCH /api/admin/users/[id]", () => ({ address: `/api/admin/users/${known.user}`, json: { name: "Walked on" } })],
  [
    "PATCH /api/admin/users/[id]/quotas",
    () => ({ address: `/api/admin/users/${known.user}/quotas`, json: { runsPerHour: 7 } }),
  ],
  [
    "POST /api/admin/users/[id]/invite",
    () => ({ address: `/api/admin/users/${known.user}/invite`, json: {} }),
    ({ inviteUrl }: { inviteUrl: string }) => {
      known.invite = inviteUrl.split("/").at(-1) ?? "";
    },
  ],
  [
    "POST /api/invites/[token]",
    () => ({ address: `/api/invites/${known.invite}`, json: { password: "another-harbour-lantern" }, as: {} }),
  ],
  ["DELETE /api/admin/users/[id]", () => ({ address: `/api/admin/users/${known.user}` })],
  [
    "POST /api/admin/sop-keys",
    () => ({
      address: "/api/admin/sop-keys",
      json: { name: "Office", publicKey: publicKey.export({ type: "spki", format: "pem" }) },
    }),
    learnId("sopKey"),
  ],
  [
    "POST /api/admin/sops",
    () => ({ address: "/api/admin/sops", json: { title: "How", text: "Do it.", signature: signed("Do it.") } }),
    learnId("sop"),
  ],
  [
    "PUT /api/admin/advisories",
    () => ({ address: "/api/admin/advisories", body: '[{"id":"OSV-1"}]', as: typed(admin.token, "application/json") }),
  ],
  ["DELETE /api/admin/advisories", () => ({ address: "/api/admin/advisories" })],
  ["DELETE /api/admin/sops/[id]", () => ({ address: `/api/admin/sops/${known.sop}` })],
  ["DELETE /api/admin/sop-keys/[id]", () => ({ address: `/api/admin/sop-keys/${known.sopKey}` })],
  ["POST /api/admin/workers", () => ({ address: "/api/admin/workers", json: { name: "walked" } })],
  ["POST /api/admin/workers/[id]/rescan", () => ({ address: `/api/admin/workers/${machine.id}/rescan`, json: {} })],
  ["DELETE /api/admin/workers/[id]", () => ({ address: `/api/admin/workers/${doomed.id}` })],
  [
    "POST /api/worker/register",
    () => ({
      address: "/api/worker/register",
      json: { name: machine.id, version: "1", platform: "linux", pid: 1, slots: 1, isolation: "none", analysis: ABLE },
      as: by(machine),
    }),
  ],
  [
    "POST /api/skills/[id]/versions/[digest]/analyses",
    async () => {
      // The request scans a version that was not scanned, which is no write of a person.
      await call("GET", version(""), { token: reviewer.token });
      return { address: version("/analyses"), json: { stepSeconds: 5 }, as: by(reviewer) };
    },
    learnId("analysis"),
  ],
  [
    "DELETE /api/skills/[id]/versions/[digest]/analyses/[analysisId]",
    () => ({ address: version(`/analyses/${known.analysis}`), as: by(reviewer) }),
  ],
  [
    "POST /api/skills/[id]/versions/[digest]/analyses",
    () => ({ address: version("/analyses"), json: { stepSeconds: 5 }, as: by(reviewer) }),
    learnId("analysis"),
  ],
  ["POST /api/worker/analyses", () => ({ address: "/api/worker/analyses", json: {}, as: by(machine) })],
  [
    "POST /api/worker/analyses/[analysisId]/report",
    () => ({
      address: `/api/worker/analyses/${known.analysis}/report`,
      json: { fence: 1, outcome: { kind: "failed", reason: "The tracer ended." } },
      as: by(machine),
    }),
  ],
  [
    "PATCH /api/publishers/[handle]",
    () => ({ address: "/api/publishers/me", json: { bio: "Walks." } }),
    ({ handle }: { handle: string }) => {
      known.handle = handle;
    },
  ],
  ["PUT /api/publishers/[handle]/verification", () => ({ address: `/api/publishers/${known.handle}/verification` })],
  ["DELETE /api/publishers/[handle]/verification", () => ({ address: `/api/publishers/${known.handle}/verification` })],
  [
    "POST /api/skills/[id]/publish",
    () => ({ address: skill("/publish"), json: {} }),
    ({ id }: { id: string }) => {
      known.shared = id;
    },
  ],
  [
    "POST /api/skills/[id]/versions/[digest]/submit",
    () => ({ address: `/api/skills/${known.draft}/versions/${known.draftDigest}/submit`, json: {} }),
  ],
  [
    "POST /api/audit/views",
    () => ({ address: "/api/audit/views", json: { name: "Mine", query: "action=run" } }),
    learnId("view"),
  ],
  ["PATCH /api/audit/views/[id]", () => ({ address: `/api/audit/views/${known.view}`, json: { name: "Ours" } })],
  ["DELETE /api/audit/views/[id]", () => ({ address: `/api/audit/views/${known.view}` })],
  ["POST /api/capability-urls", () => ({ address: "/api/capability-urls", json: { name: "walked" } }), learnId("url")],
  [
    "POST /api/cli/device/code",
    () => ({ address: "/api/cli/device/code", json: { label: "walker" }, as: {} }),
    ({ device_code, user_code }: { device_code: string; user_code: string }) => {
      known.deviceCode = device_code;
      known.userCode = user_code;
    },
  ],
  [
    "POST /api/device-logins/[userCode]",
    async () => ({
      address: `/api/device-logins/${known.userCode}`,
      json: { decision: "approve" },
      as: await browser(admin),
    }),
  ],
  [
    "POST /api/cli/device/token",
    () => ({
      address: "/api/cli/device/token",
      json: { device_code: known.deviceCode, grant_type: "urn:ietf:params:oauth:grant-type:device_code" },
      as: {},
    }),
  ],
  [
    "POST /api/agent/sessions",
    () => ({ address: "/api/agent/sessions", json: { client: "walker 1" } }),
    learnId("agentSession"),
  ],
  ["POST /api/agent/tools/[tool]", () => ({ address: "/api/agent/tools/list_skills", json: {} })],
  [
    "POST /mcp",
    () => ({
      address: "/mcp",
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "walker", version: "1" } },
      }),
      as: mcp(),
    }),
    (_body, headers) => {
      known.mcp = headers.get("mcp-session-id") ?? "";
    },
  ],
  ["DELETE /mcp", () => ({ address: "/mcp", as: mcp() })],
  [
    "POST /api/admin/model-endpoints",
    () => ({
      address: "/api/admin/model-endpoints",
      json: { name: "Walked", kind: "openai", baseUrl: "http://127.0.0.1:9/v1", models: ["m"] },
    }),
    learnId("endpoint"),
  ],
  [
    "PATCH /api/admin/model-endpoints/[id]",
    () => ({ address: `/api/admin/model-endpoints/${known.endpoint}`, json: { models: ["m", "n"] } }),
  ],
  [
    "POST /api/playground/conversations",
    () => ({ address: "/api/playground/conversations", json: { endpointId: known.endpoint } }),
    learnId("conversation"),
  ],
  [
    "DELETE /api/playground/conversations/[id]",
    () => ({ address: `/api/playground/conversations/${known.conversation}` }),
  ],
  ["DELETE /api/admin/model-endpoints/[id]", () => ({ address: `/api/admin/model-endpoints/${known.endpoint}` })],
  [
    "POST /api/skills/[id]/overlays",
    () => ({ address: skill("/overlays"), json: { toml: '[optimized]\ndescription = "Better words."\n' } }),
    learnId("overlay"),
  ],
  [
    "POST /api/overlays/[id]/decisions",
    () => ({
      address: `/api/overlays/${known.overlay}/decisions`,
      json: { decision: "reject", comment: "No." },
      as: by(reviewer),
    }),
  ],
  [
    "POST /api/skills/[id]/versions/[digest]/findings/[fingerprint]/dismiss",
    async () => ({
      address: version(`/findings/${await aFinding()}/dismiss`),
      json: { reason: "It is meant to." },
      as: by(reviewer),
    }),
  ],
  [
    "DELETE /api/skills/[id]/versions/[digest]/findings/[fingerprint]/dismiss",
    async () => ({ address: version(`/findings/${await aFinding()}/dismiss`), as: by(reviewer) }),
  ],
  ["POST /api/skills/[id]/adoption", async () => ({ address: await publicSkill(), as: by(user) })],
  ["DELETE /api/skills/[id]/adoption", async () => ({ address: await publicSkill(), as: by(user) })],
  ["POST /api/integrations/[domain]/setup", () => ({ address: "/api/integrations/mail/setup", json: { scope: "me" } })],
  ["DELETE /api/integrations/[domain]/setup", () => ({ address: "/api/integrations/mail/setup?scope=me" })],
  [
    "POST /api/v1/skills/-/upload-url",
    () => ({
      address: "/api/v1/skills/-/upload-url",
      json: { path: "SKILL.md", size: UPLOADED.length, sha256: sha256Hex(UPLOADED) },
    }),
    ({ uploadUrl, uploadTicket }: { uploadUrl: string; uploadTicket: string }) => {
      const { pathname, search, searchParams } = new URL(uploadUrl);
      known.upload = `${pathname}${search}`;
      known.storage = searchParams.get("id") ?? "";
      known.ticket = uploadTicket;
    },
  ],
  [
    "POST /api/v1/skills/-/upload",
    () => ({ address: known.upload ?? "", body: UPLOADED, as: typed(admin.token, "application/octet-stream") }),
  ],
  [
    "POST /api/v1/skills",
    () => ({
      address: "/api/v1/skills",
      json: {
        slug: "walked-upload",
        ownerHandle: known.handle,
        version: "1.0.0",
        files: [
          {
            path: "SKILL.md",
            size: UPLOADED.length,
            sha256: sha256Hex(UPLOADED),
            storageId: known.storage,
            uploadTicket: known.ticket,
          },
        ],
      },
    }),
  ],
  ["POST /api/v1/stars/[slug]", () => ({ address: `/api/v1/stars/${known.slug}` })],
  ["DELETE /api/v1/stars/[slug]", () => ({ address: `/api/v1/stars/${known.slug}` })],
  [
    "POST /api/worker/exchange",
    async () => {
      await queuedRun();
      return exchange({ slots: 1 });
    },
    ({ leases: [lease] }: { leases: { runId: string; fence: number }[] }) => {
      known.leased = lease?.runId ?? "";
      known.fence = String(lease?.fence ?? 0);
    },
  ],
  [
    "POST /api/worker/exchange",
    () => {
      const held = { runId: known.leased, fence: Number(known.fence) };
      return exchange({ completions: [{ ...held, outcome: failedOutcome() }] });
    },
  ],
  ["PUT /api/traces/[id]/rating", () => ({ address: `/api/traces/${known.leased}/rating`, json: { rating: 1 } })],
  ["POST /api/worker/inventory", () => ({ address: "/api/worker/inventory", json: inventory(), as: by(machine) })],
  [
    "PUT /api/worker/blobs/[sha256]",
    () => ({
      address: `/api/worker/blobs/${sha256Hex(HELD)}`,
      body: HELD,
      as: typed(machine.token, "application/octet-stream"),
    }),
  ],
  ["POST /api/worker/inventory", () => ({ address: "/api/worker/inventory", json: inventory(), as: by(machine) })],
  [
    "PUT /api/admin/catalog-sources/[id]",
    async () => ({ address: `/api/admin/catalog-sources/${await aSource()}`, json: { label: "Walked on" } }),
  ],
  [
    "PUT /api/admin/catalog-sources/[id]/kept-bytes",
    async () => ({ address: `/api/admin/catalog-sources/${await aSource()}/kept-bytes`, json: { keeps: true } }),
  ],
  [
    "PUT /api/admin/catalog-sources/[id]/credential",
    async () => ({
      address: `/api/admin/catalog-sources/${await aGitSource()}/credential`,
      json: { token: "walked_0123456789abcdef0123" },
    }),
  ],
  [
    "DELETE /api/admin/catalog-sources/[id]/credential",
    async () => ({ address: `/api/admin/catalog-sources/${await aGitSource()}/credential` }),
  ],
  [
    "POST /api/admin/catalog-sources/[id]/webhook",
    async () => ({ address: `/api/admin/catalog-sources/${await aGitSource()}/webhook` }),
  ],
  [
    "DELETE /api/admin/catalog-sources/[id]/webhook",
    async () => ({ address: `/api/admin/catalog-sources/${await aGitSource()}/webhook` }),
  ],
  [
    "DELETE /api/admin/catalog-sources/[id]",
    async () => ({ address: `/api/admin/catalog-sources/${await aSource()}` }),
  ],
  [
    "PATCH /api/admin/foreign-instances/[keyId]",
    async () => ({ address: `/api/admin/foreign-instances/${await anInstance()}`, json: { trusted: true } }),
  ],
  ["DELETE /api/capability-urls/[id]", () => ({ address: `/api/capability-urls/${known.url}` })],
  [
    "PUT /api/admin/catalog-sources/token",
    () => ({ address: "/api/admin/catalog-sources/token", json: { token: "walked_0123456789abcdef0123" } }),
  ],
  ["DELETE /api/admin/catalog-sources/token", () => ({ address: "/api/admin/catalog-sources/token" })],
  [
    "POST /api/me/password",
    async () => ({
      address: "/api/me/password",
      json: { current: PASSWORD, password: "another-quiet-harbour" },
      as: await browser(user),
    }),
  ],
  ["DELETE /api/sessions/[id]", async () => ({ address: `/api/sessions/${await aSession()}` })],
  [
    "POST /api/auth/sign-out-everywhere",
    async () => ({ address: "/api/auth/sign-out-everywhere", json: {}, as: await browser(user) }),
  ],
  ["DELETE /api/skills/[id]", () => ({ address: `/api/skills/${known.draft}` })],
  [
    "POST /api/setup",
    async () => ({
      address: "/api/setup",
      json: {
        token: await setupToken(),
        name: "First",
        email: "first@example.test",
        password: "another-harbour-lantern",
      },
      as: {},
    }),
  ],
];

/** Routes that need an external service or change nothing, each with the reason. */
const NOT_TRIED: [route: RegExp, why: string][] = [
  [/ \/(api|v1)\/\[\.\.\.unknown\]$/, "answers that there is nothing"],
  [/ \/api\/auth\/\[\.\.\.nextauth\]$/, "asks the framework for cookies: audit-of-access.test.ts signs in and out"],
  [/ \/api\/(catalog\/(install|updates)|skills\/\[id\]\/update)$/, "asks GitHub: lib/catalog"],
  [/ \/api\/admin\/catalog-sources(\/preview|\/\[id\]\/(sync|confirm))?$/, "asks GitHub: lib/catalog"],
  [/ \/api\/catalog-hooks\/\[id\]$/, "for hosts that prove the secret of a webhook: lib/catalog/webhooks"],
  [/ \/api\/me\/ssh-keys(\/\[id\])?$/, "needs a key that signs: lib/auth/ssh-keys.test.ts"],
  [/\/attestation\/ssh-signatures$/, "needs a key that signs: lib/review/attest/ssh-signatures.test.ts"],
  [/ \/api\/playground\/conversations\/\[id\]\/messages$/, "asks a model: lib/agent/playground"],
  [/ \/api\/(skills\/\[id\]\/evaluations|evaluations\/\[id\]\/cancel)$/, "asks a model: lib/agent/evals"],
  [/ \/api\/skills\/\[id\]\/optimize$/, "asks a model, about traces of weeks: lib/agent/overlays"],
  [/ \/api\/(evaluations\/\[id\]\/cancel|skills\/\[id\]\/evaluations)$/, "asks a model: lib/agent/evals"],
  [/ \/api\/admin\/model-endpoints\/\[id\]\/probe$/, "asks a model and changes nothing"],
  [/ \/api\/worker\/analyses\/\[analysisId\]\/agent$/, "asks a model and changes nothing: the dry run has the events"],
  [/ \/api\/playground\/conversations\/\[id\]\/stop$/, "aborts what this process does, and changes nothing"],
  [/ \/api\/agent\/authorize-tool$/, "answers a question, and changes nothing"],
  [/ \/api\/v1\/skills\/-\/security-verdicts$/, "answers a question, and changes nothing"],
  [/ \/api\/distribution\/git/, "git reads with POST"],
  [/ \/api\/distribution\/oci/, "refuses every write: distribution/oci.test.ts"],
  [/ \/api\/cli\/telemetry\/install$/, "a counter, which has no event"],
  [/ \/api\/admin\/backups$/, "writes a folder, whose event comes after: lib/backup"],
  [/ \/api\/me\/sign-ins\/\[id\]$/, "needs an account elsewhere: auth/provider-sign-in.test.ts"],
];

function learnId(name: string) {
  return ({ id }: { id: string }) => {
    known[name] = id;
  };
}

async function aRun(): Promise<string> {
  const answer = await call("POST", skill("/runs"), {
    token: admin.token,
    json: { args: { text: "x" }, confirm: true },
  });
  return (await answer.json()).id;
}

/** Returns the same run for both attempts. */
async function anotherRun(): Promise<string> {
  known.another ??= await whole(aRun);
  return known.another;
}

/** Returns the address of an approved version whose skill has a later active version. */
async function olderVersion(): Promise<string> {
  known.older ??= await whole(async () => {
    const addresses: string[] = [];
    for (const runClass of ["safe", "mutating"]) {
      const body = await packForm("walked_back", runClass);
      const imported = await (await call("POST", "/api/skills/import", { token: admin.token, body })).json();
      const [{ id, pendingVersion }] = imported.skills;
      addresses.push(`/api/skills/${id}/versions/${pendingVersion.digest}`);
      const json = { decision: "approve", comment: "Read." };
      await call("POST", `${addresses.at(-1)}/decisions`, { token: reviewer.token, json });
    }
    // Opens the version once, so that the server scans it now and not during a measured request.
    await call("GET", addresses[0] ?? "", { token: reviewer.token });
    return addresses[0] ?? "";
  });
  return known.older;
}

async function parkedRun(): Promise<string> {
  known.parked ??= await whole(async () => {
    const id = await aRun();
    const waits = {
      state: "awaiting_approval",
      signatures: 1,
      gateRule: "test",
      expiresAt: new Date(Date.now() + 3_600_000),
    };
    await database.writer.run.update({ where: { id }, data: waits });
    return id;
  });
  return known.parked;
}

async function queuedRun(): Promise<void> {
  known.queued ??= await whole(async () => {
    const open = { safeWithoutSandbox: true, mutatingWithoutSandbox: true };
    await call("PATCH", "/api/admin/settings", { token: admin.token, json: open });
    return aRun();
  });
}

/** Returns another persona than the one that is deleted, because a program acts under it. */
async function aPersona(): Promise<string> {
  known.programs ??= await whole(async () => {
    const json = { name: "For programs", permissionMode: "read-only" };
    return (await (await call("POST", "/api/admin/personas", { token: admin.token, json })).json()).id;
  });
  return known.programs ?? "";
}

async function publicSkill(): Promise<string> {
  known.public ??= await whole(async () => {
    const data = { visibility: "public" };
    return (await database.writer.skill.update({ where: { id: known.skill ?? "" }, data })).id;
  });
  return `/api/skills/${known.public}/adoption`;
}

async function aFinding(): Promise<string> {
  known.finding ??= await whole(async () => {
    const { id: versionId } = await database.reader.version.findFirstOrThrow({ where: { digest: known.digest ?? "" } });
    const fingerprint = sha256Hex("a finding");
    const at = { position: 0, path: "SKILL.md", line: 1, column: 1 };
    const what = {
      rule: "walked",
      ruleVersion: 1,
      severity: "medium",
      text: "x",
      why: "Walked.",
      view: "text",
      more: 0,
    };
    await database.writer.finding.create({ data: { versionId, fingerprint, ...at, ...what, firstSeenAt: new Date() } });
    return fingerprint;
  });
  return known.finding;
}

async function aSource(): Promise<string> {
  known.source ??= await whole(async () => {
    const [id, at] = [newId(), new Date()];
    const place = { label: "Walked", repoUrl: "https://github.com/walked/skills", owner: "walked", repo: "skills" };
    const data = { id, ...place, enabled: false, createdAt: at, updatedAt: at };
    await database.writer.catalogSource.create({ data });
    return id;
  });
  return known.source;
}

async function anInstance(): Promise<string> {
  known.instance ??= await whole(async () => {
    const [keyId, at] = ["f".repeat(64), new Date()];
    const data = { keyId, publicKey: "", name: "Walked", namedAt: at, firstSeenAt: at };
    await database.writer.foreignInstance.create({ data });
    return keyId;
  });
  return known.instance;
}

/** A source that has a credential of its own. */
async function aGitSource(): Promise<string> {
  known.gitSource ??= await whole(async () => {
    const [id, at] = [newId(), new Date()];
    const place = { kind: "git", repoUrl: "git@git.test:walked/git.git", owner: "git.test/walked", repo: "git" };
    const data = { id, label: "Walked by git", ...place, enabled: false, createdAt: at, updatedAt: at };
    await database.writer.catalogSource.create({ data });
    return id;
  });
  return known.gitSource;
}

/** Returns the set-up link that the server prints while it has no admin. */
async function setupToken(): Promise<string> {
  known.setup ??= await whole(async () => {
    const [secret, at] = ["a-secret-of-a-set-up-link", new Date()];
    await database.writer.user.updateMany({ where: { role: "admin" }, data: { role: "user" } });
    const times = { createdAt: at, expiresAt: new Date(at.getTime() + 3_600_000) };
    await database.writer.oneTimeToken.create({
      data: { id: newId(), purpose: "setup", secretHash: sha256Hex(secret), ...times },
    });
    return secret;
  });
  return known.setup;
}

async function aSession(): Promise<string> {
  known.session ??= newId();
  const at = new Date();
  const row = {
    id: known.session,
    userId: admin.id,
    createdAt: at,
    lastSeenAt: at,
    expiresAt: new Date(at.getTime() + 3_600_000),
  };
  await database.writer.session.upsert({ where: { id: row.id }, create: row, update: {} });
  return row.id;
}

const repair = () => repairSink(outside, database);

let isBroken = false;

/** Runs `work` while writes to the audit log succeed, then restores the former state of the audit log. */
async function whole<T>(work: () => Promise<T>): Promise<T> {
  const wasBroken = isBroken;
  await repair();
  const made = await work();
  if (wasBroken) await breakSink(outside, database);
  return made;
}

/** Tables that change without an action of a caller: heartbeats, counters, stored answers and indexes of the events. */
const NOT_STATE =
  /^(SignInThrottle|IdempotentAnswer|JobState|LeaderLease|Door(Sighting|Package)|InstallCount|Audit(Term|Posting|Hour|Indexed|Search.*))$/;
const NOT_STATE_COLUMNS = new Set(["lastUsedAt", "lastSeenAt", "load"]);

/** Returns the content of each table as text. */
async function stateOf(): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  for (const name of await listTables(outside, database)) {
    if (NOT_STATE.test(name) || /_(data|idx|content|docsize|config)$/.test(name)) continue;
    const rows = await outside(`SELECT * FROM "${name}" ORDER BY 1, 2`);
    for (const row of rows) for (const column of NOT_STATE_COLUMNS) delete row[column];
    state[name] = createHash("sha256").update(JSON.stringify(rows)).digest("hex");
  }
  return state;
}

const eventCount = () => database.reader.auditEvent.count();

async function ask(route: string, asked: Asked): Promise<Answer> {
  const [method = ""] = route.split(" ");
  const { address, json, form, body, as = by(admin) } = asked;
  const response = await call(method, address, {
    ...as,
    ...(json === undefined ? {} : { json }),
    ...(form ? { body: await form() } : {}),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : {}, headers: response.headers };
}

const routes = ROUTE_TABLE.flatMap(([path, module]) =>
  WRITES.filter((method) => module[method]).map((method) => `${method} ${path}`),
);

const figures = { tried: 0, changed: 0 };
afterAll(() => {
  const { tried, changed } = figures;
  process.stdout.write(
    `Broken audit sink: ${tried} write routes, 0 of them changed anything. Control with a whole one: ${changed} of ${STEPS.length} changed something.\n`,
  );
});

test("every write route is tried here, or says why not", () => {
  const tried = new Set(STEPS.map(([route]) => route));
  expect([...tried].filter((route) => !routes.includes(route))).toEqual([]);
  const left = routes.filter((route) => !tried.has(route) && !NOT_TRIED.some(([pattern]) => pattern.test(route)));
  expect(left).toEqual([]);
});

test.each(STEPS)("%s changes nothing without its event, and with it there is one", async (route, prepare, learn) => {
  await breakSink(outside, database);
  isBroken = true;
  const broken = await prepare();
  const before = await stateOf();
  const refused = await ask(route, broken).finally(() => {
    isBroken = false;
  });
  await repair();
  expect(await stateOf(), `${route} answered ${refused.status} and left changes behind`).toEqual(before);
  if (route !== "POST /api/runs/cancel") expect(refused.status).toBeGreaterThanOrEqual(500);
  figures.tried += 1;
  const wholeAsked = await prepare();
  const [state, events] = [await stateOf(), await eventCount()];
  const answer = await ask(route, wholeAsked);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  expect(await eventCount()).toBeGreaterThan(events);
  expect(await stateOf()).not.toEqual(state);
  figures.changed += 1;
  await learn?.(answer.body as never, answer.headers);
});
