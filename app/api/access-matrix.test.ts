import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import type { Access, RouteHandler } from "@/lib/http/route";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./route-table";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const { call, person, worker } = await testServer(ROUTE_TABLE);

const actors = {
  anonymous: { token: undefined, holds: [] },
  "disabled admin": { token: (await person("admin", undefined, "disabled")).token, holds: [] },
  user: { token: (await person("user")).token, holds: ["read", "run", "write"] },
  reviewer: { token: (await person("reviewer")).token, holds: ["read", "run", "write", "review"] },
  admin: { token: (await person("admin")).token, holds: ["read", "run", "write", "review", "admin"] },
  "read token of an admin": { token: (await person("admin", ["read"])).token, holds: ["read"] },
  "run token of an admin": { token: (await person("admin", ["run"])).token, holds: ["run"] },
  "write token of an admin": { token: (await person("admin", ["write"])).token, holds: ["write"] },
  "review token of an admin": { token: (await person("admin", ["review"])).token, holds: ["review"] },
  "admin token of a user": { token: (await person("user", ["admin", "review"])).token, holds: [] },
  worker: { token: (await worker()).token, holds: ["worker"] },
} satisfies Record<string, { token: string | undefined; holds: Access[] }>;

const routes = ROUTE_TABLE.flatMap(([path, module]) =>
  METHODS.flatMap((method) => {
    const handler = module[method] as RouteHandler | undefined;
    return handler ? [{ path, method, handler }] : [];
  }),
);

test("every route file is in the table and every handler declares who may call it", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("route.ts"),
  );
  expect(files.length).toBe(ROUTE_TABLE.length + 1);
  for (const { path, method, handler } of routes) expect(handler.definition?.access, `${method} ${path}`).toBeDefined();
});

const cases = routes
  .filter(({ path }) => !path.includes("[...nextauth]"))
  .flatMap((route) =>
    Object.entries(actors).map(([name, actor]) => ({ ...route, name, actor, access: route.handler.definition.access })),
  );

test.each(cases)("$method $path for $name", async ({ path, method, name, actor, access }) => {
  const address = path
    .replace("[...path]", "SKILL.md")
    .replace("[sha256]", "0".repeat(64))
    .replace(/\[\w+\]/g, newId());
  const hasBody = method !== "GET";
  const response = await call(method, address, {
    ...(actor.token ? { token: actor.token } : {}),
    ...(hasBody ? { json: { nonsense: true } } : {}),
  });
  const isKnown = !["anonymous", "disabled admin"].includes(name);
  const hasBadToken = name === "disabled admin";
  const allowed = !hasBadToken && (access === "public" || (actor.holds as Access[]).includes(access));
  const expected = allowed ? "let in" : isKnown ? 403 : 401;
  const answered = response.status === 401 || response.status === 403 ? response.status : "let in";
  expect(answered, `access ${access}, answered ${response.status}`).toBe(expected);
  expect(response.status).not.toBe(500);
});
