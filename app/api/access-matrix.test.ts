import { readdirSync } from "node:fs";
import { join } from "node:path";
import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { type Role, Scope } from "@/lib/core/actor";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { RouteHandler } from "@/lib/http/route";
import type { Access } from "@/lib/policy/require-scope";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const { call, person, worker, database } = await testServer(ROUTE_TABLE);

/** The expected policy, written independently of the code: the routes that each kind of caller may use. */
const OF_ROLE = {
  user: ["read", "run", "write"],
  reviewer: ["read", "run", "write", "review"],
  admin: ["read", "run", "write", "review", "admin"],
} as const satisfies Record<Role, Access[]>;
const OF_AGENT = ["read", "run", "write"] as const;

/**
 * Every route that is open to tokens under a persona, with what an agent needs it for. All other routes are closed to agents.
 */
const OPEN_TO_AGENTS: Record<string, string> = {
  "GET /.well-known/oauth-authorization-server": "an MCP client finds out how to sign in again",
  "GET /.well-known/oauth-protected-resource": "the same",
  "GET /.well-known/oauth-protected-resource/mcp": "the same",
  "GET /.well-known/skillgate-attestation-keys": "a client verifies what was approved, with public keys",
  "GET /.well-known/skillgate-ended-approvals": "a client checks whether an approval is still in force",
  "GET /connect/claude-code/[file]": "the hook that limits Claude Code is fetched with it",
  "POST /mcp": "MCP is how most agents come in",
  "GET /mcp": "notifications of MCP",
  "DELETE /mcp": "a client ends its own MCP session",
  "GET /api/[...unknown]": "a wrong address is not found, and not forbidden",
  "POST /api/[...unknown]": "the same",
  "PUT /api/[...unknown]": "the same",
  "PATCH /api/[...unknown]": "the same",
  "DELETE /api/[...unknown]": "the same",
  "POST /api/agent/authorize-tool": "an agent's host asks before each tool call",
  "GET /api/agent/openapi.json": "an agent reads what it may run",
  "GET /api/agent/preamble": "what an agent starts with",
  "POST /api/agent/sessions": "an agent opens its own session",
  "GET /api/agent/tools": "what an agent may call",
  "POST /api/agent/tools/[tool]": "an agent calls a tool; each tool checks the persona",
  "GET /api/distribution/artifacts/[scope]/[name]/[...path]": "a client installs an approved version",
  "GET /api/distribution/clawhub": "a client finds the ClawHub API",
  "GET /api/distribution/git-mine/[...path]": "git fetches approved skills",
  "POST /api/distribution/git-mine/[...path]": "the second half of a fetch; it changes nothing",
  "GET /api/distribution/git/[scope]/[...path]": "git fetches approved skills",
  "POST /api/distribution/git/[scope]/[...path]": "the second half of a fetch; it changes nothing",
  "GET /api/distribution/marketplace/[scope]": "Claude Code reads the marketplace",
  "GET /api/distribution/oci": "a client of OCI registries looks for the protocol",
  "GET /api/distribution/oci/[...path]": "a client of OCI registries pulls an approved version",
  "GET /api/distribution/well-known/[scope]/[format]/[...path]": "clients read the index of a scope",
  "GET /api/search": "`npx skills find` searches",
  "GET /api/updates.atom": "clients ask what was approved since",
  "GET /api/updates.json": "the same",
  "GET /api/edges": "an agent chooses the edge of a host skill",
  "GET /api/health": "a client asks whether the server is there",
  "GET /api/ready": "the same",
  "GET /api/me": "an agent reads what its token may do",
  "GET /api/openapi.json": "the description is public",
  "GET /api/runs": "an agent reads the runs it may see",
  "GET /api/runs/[id]": "an agent waits for the end of its run",
  "GET /api/runs/[id]/events": "an agent follows the log of its run",
  "GET /api/runs/[id]/steps": "an agent follows its pipeline",
  "POST /api/runs/[id]/cancel": "an agent ends a run of its own token, and no other",
  "GET /api/skills": "an agent lists what its persona leaves it",
  "GET /api/skills/[id]": "an agent reads a skill that its persona leaves it",
  "GET /api/skills/[id]/access": "an agent reads why it is or is not offered a skill",
  "GET /api/skills/[id]/export": "an agent takes an approved version as files",
  "GET /api/skills/[id]/instructions": "an agent loads a playbook",
  "POST /api/skills/[id]/runs": "an agent runs a skill under its persona's mode",
  "GET /api/skills/[id]/versions": "an agent finds the digest of an approved version",
  "GET /api/skills/[id]/versions/[digest]": "an agent reads which files a version has",
  "GET /api/skills/[id]/versions/[digest]/attestation": "an agent verifies the version that it reads",
  "GET /api/skills/[id]/versions/[digest]/attestation/ssh-signatures": "the same",
  "GET /api/skills/[id]/versions/[digest]/files/[...path]": "an agent reads a file of an approved version",
  "GET /api/sops": "an agent names the procedure that a run follows",
  "POST /api/cli/telemetry/install": "clawhub says what it has installed",
  "GET /api/v1/download": "clawhub installs",
  "GET /api/v1/resolve": "clawhub looks for updates",
  "GET /api/v1/search": "clawhub searches",
  "POST /api/v1/skills/-/security-verdicts": "clawhub asks whether versions are approved; it changes nothing",
  "GET /api/v1/skills": "clawhub lists",
  "GET /api/v1/skills/[slug]": "clawhub reads a skill",
  "GET /api/v1/skills/[slug]/file": "clawhub reads a file",
  "GET /api/v1/skills/[slug]/install": "clawhub installs",
  "GET /api/v1/skills/[slug]/moderation": "clawhub reads what is known of its safety",
  "GET /api/v1/skills/[slug]/verify": "clawhub verifies",
  "GET /api/v1/skills/[slug]/versions": "clawhub lists versions",
  "GET /api/v1/skills/[slug]/versions/[version]": "clawhub reads a version",
  "GET /api/v1/trending": "clawhub lists what is installed most",
  "GET /api/v1/whoami": "clawhub checks its token",
  "GET /v1/[...unknown]": "a wrong address is not found, and not forbidden",
  "POST /v1/[...unknown]": "the same",
  "PUT /v1/[...unknown]": "the same",
  "PATCH /v1/[...unknown]": "the same",
  "DELETE /v1/[...unknown]": "the same",
  "GET /v1/skills": "Anthropic’s SDK lists",
  "GET /v1/skills/[id]": "the SDK reads a skill",
  "GET /v1/skills/[id]/versions": "the SDK lists versions",
  "GET /v1/skills/[id]/versions/[version]": "the SDK reads a version",
  "GET /v1/skills/[id]/versions/[version]/content": "the SDK downloads an approved version",
};

type Caller = { headers: Record<string, string>; holds: readonly Access[]; isKnown: boolean; isAgent?: boolean };

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const known = (token: string, holds: readonly Access[]): Caller => ({ headers: bearer(token), holds, isKnown: true });
const unknown = (headers: Record<string, string>): Caller => ({ headers, holds: [], isKnown: false });

async function session(role: Role, change: Record<string, Date> = {}): Promise<Record<string, string>> {
  const { id: userId } = await person(role);
  const [sid, at] = [newId(), new Date()];
  const times = { createdAt: at, lastSeenAt: at, expiresAt: new Date(at.getTime() + 3_600_000), ...change };
  await database.writer.session.create({ data: { id: sid, userId, ...times } });
  const token = await encode({ token: { uid: userId, sid }, secret: process.env.NEXTAUTH_SECRET ?? "" });
  return { cookie: `next-auth.session-token=${token}`, "sec-fetch-site": "same-origin" };
}

async function tokenOf(role: Role, change: Record<string, unknown>): Promise<string> {
  const { token } = await person(role);
  await database.writer.apiToken.update({ where: { secretHash: sha256Hex(token) }, data: change });
  return token;
}

async function agentOf(role: Role, permissionMode: string): Promise<Caller> {
  const at = new Date();
  const persona = { id: newId(), name: newId(), permissionMode, allow: "[]", deny: "[]", createdAt: at, updatedAt: at };
  await database.writer.persona.create({ data: persona });
  return { ...known(await tokenOf(role, { personaId: persona.id }), OF_AGENT), isAgent: true };
}

const callers: Record<string, Caller> = {
  anonymous: unknown({}),
  "a disabled admin": unknown(bearer((await person("admin", undefined, "disabled")).token)),
  "a revoked token of an admin": unknown(bearer(await tokenOf("admin", { revokedAt: new Date() }))),
  "an expired token of an admin": unknown(bearer(await tokenOf("admin", { expiresAt: new Date(0) }))),
  "a made-up token": unknown(bearer(`sgt_${"x".repeat(43)}`)),
  "an ended session of an admin": unknown(await session("admin", { revokedAt: new Date() })),
  "a worker": known((await worker()).token, ["worker"]),
};
for (const role of ["user", "reviewer", "admin"] as const) {
  callers[`a session of a ${role}`] = {
    headers: await session(role),
    holds: ["session", ...OF_ROLE[role]],
    isKnown: true,
  };
  callers[`a token of a ${role} with every scope`] = known((await person(role)).token, OF_ROLE[role]);
  callers[`an agent of a ${role} with every scope`] = await agentOf(role, "dual-sign-required");
}
for (const scope of Scope.options) {
  callers[`a token of an admin with ${scope}`] = known((await person("admin", [scope])).token, [scope]);
}
callers["an agent that only reads"] = await agentOf("admin", "read-only");
callers["a token of a user with review and admin"] = known((await person("user", ["review", "admin"])).token, []);

const routes = ROUTE_TABLE.flatMap(([path, module]) =>
  METHODS.flatMap((method) => {
    const handler = module[method] as RouteHandler | undefined;
    return handler ? [{ path, method, handler }] : [];
  }),
);

test("a route is closed to agents unless it is declared as open, and here with a reason", () => {
  const open = routes.filter(({ handler }) => handler.definition.agents === "open");
  expect(open.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(OPEN_TO_AGENTS).sort());
});

test("every route file is in the table and every handler declares who may call it", () => {
  const files = readdirSync(join(import.meta.dirname, ".."), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("route.ts"),
  );
  expect(files.length).toBe(ROUTE_TABLE.length);
  const everyAccess: Access[] = ["public", "session", "worker", ...Scope.options];
  for (const { path, method, handler } of routes) {
    expect(everyAccess, `${method} ${path}`).toContain(handler.definition?.access);
  }
});

// These routes end the caller's own access, which would affect later rows; they are tested below with separate callers.
const ENDS_THE_CALLER = new Set(["POST /api/auth/sign-out-everywhere"]);

const cases = routes.filter(
  ({ path, method }) => !path.includes("[...nextauth]") && !ENDS_THE_CALLER.has(`${method} ${path}`),
);

test.each(cases)("$method $path lets in whom its policy names", async ({ path, method, handler: { definition } }) => {
  const answered: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const [name, caller] of Object.entries(callers)) {
    const response = await call(method, addressOf(path), {
      headers: caller.headers,
      ...(method === "GET" ? {} : { json: { nonsense: true } }),
    });
    await response.body?.cancel();
    const isRefused = response.status === 401 || response.status === 403;
    answered[name] = isRefused || response.status >= 500 ? response.status : "let in";
    const address = `${method} ${path}`;
    const refusal = caller.isKnown && !(address === ASKS_FOR_A_SECRET && !caller.isAgent) ? 403 : 401;
    expected[name] = isLetIn(caller, definition.access, address) ? "let in" : refusal;
  }
  expect(answered).toEqual(expected);
});

/** Answers 401 without credentials, as the protocol has it, although every caller may ask. */
const ASKS_FOR_CREDENTIALS = "GET /api/distribution/oci";

/** Lets in a host that proves the secret of a webhook, and no account: lib/catalog/webhooks. */
const ASKS_FOR_A_SECRET = "POST /api/catalog-hooks/[id]";

function isLetIn(caller: Caller, access: Access, address: string): boolean {
  // A bad credential is refused even on public routes; an ended session counts as anonymous.
  if (!caller.isKnown && caller.headers.authorization !== undefined) return false;
  if (!caller.isKnown && address === ASKS_FOR_CREDENTIALS) return false;
  if (address === ASKS_FOR_A_SECRET) return false;
  if (caller.isAgent && OPEN_TO_AGENTS[address] === undefined) return false;
  return access === "public" || caller.holds.includes(access);
}

test.each([
  ["a session", 200],
  ["a token", 403],
  ["an anonymous caller", 401],
])("signing out everywhere is for %s", async (who, expected) => {
  const headers =
    who === "a session" ? await session("user") : who === "a token" ? bearer((await person("user")).token) : {};
  const response = await call("POST", "/api/auth/sign-out-everywhere", { headers });
  expect(response.status).toBe(expected);
});

function addressOf(path: string): string {
  return path
    .replace("[...path]", "SKILL.md")
    .replace("[sha256]", "0".repeat(64))
    .replace(/\[\w+\]/g, newId());
}
