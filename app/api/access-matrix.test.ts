import { readdirSync } from "node:fs";
import { join } from "node:path";
import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { type Role, Scope } from "@/lib/core/actor";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { RouteHandler } from "@/lib/http/route";
import type { Access } from "@/lib/policy/assert-access";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./route-table";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const { call, person, worker, database } = await testServer(ROUTE_TABLE);

/** The policy, said once more and independently: which routes each kind of caller is let in to. */
const OF_ROLE = {
  user: ["read", "run", "write"],
  reviewer: ["read", "run", "write", "review"],
  admin: ["read", "run", "write", "review", "admin"],
} as const satisfies Record<Role, Access[]>;
const OF_AGENT = ["read", "run", "write"] as const;

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

test("every route file is in the table and every handler declares who may call it", () => {
  const files = readdirSync(join(import.meta.dirname, ".."), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("route.ts"),
  );
  expect(files.length).toBe(ROUTE_TABLE.length + 1);
  const everyAccess: Access[] = ["public", "session", "worker", ...Scope.options];
  for (const { path, method, handler } of routes) {
    expect(everyAccess, `${method} ${path}`).toContain(handler.definition?.access);
  }
});

// What would end the caller itself, and so change the rows that follow, is asked of callers of its own below.
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
    expected[name] = isLetIn(caller, definition) ? "let in" : caller.isKnown ? 403 : 401;
  }
  expect(answered).toEqual(expected);
});

function isLetIn(caller: Caller, { access, agents }: RouteHandler["definition"]): boolean {
  // A bad credential is refused at the door, also where nobody needs one; a session that has ended is nobody.
  if (!caller.isKnown && caller.headers.authorization !== undefined) return false;
  if (caller.isAgent && agents === false) return false;
  return access === "public" || caller.holds.includes(access);
}

test.each([
  ["a session", 200],
  ["a token", 403],
  ["nobody", 401],
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
