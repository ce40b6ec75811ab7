import { expect, test } from "vitest";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

const { call, person } = await testServer(ROUTE_TABLE);
const admin = await person("admin");

async function ask(method: string, address: string, json?: unknown, headers: Record<string, string> = {}) {
  const response = await call(method, address, {
    token: admin.token,
    headers,
    ...(json === undefined ? {} : { json }),
  });
  return { status: response.status, etag: response.headers.get("etag") ?? "", body: await response.json() };
}

test("a change of what was changed since it was read is 412", async () => {
  const persona = await ask("POST", "/api/admin/personas", { name: "Reader", permissionMode: "read-only" });
  const user = await person("user");
  const cases: [address: string, first: unknown, second: unknown][] = [
    [`/api/admin/personas/${persona.body.id}`, { deny: ["a*"] }, { deny: ["b*"] }],
    [`/api/admin/users/${user.id}`, { name: "One" }, { name: "Two" }],
    ["/api/admin/settings", { instanceName: "One" }, { instanceName: "Two" }],
  ];
  for (const [address, first, second] of cases) {
    const { etag } = await ask("GET", address);
    expect((await ask("PATCH", address, first, { "if-match": etag })).status).toBe(200);
    const late = await ask("PATCH", address, second, { "if-match": etag });
    expect(late).toMatchObject({ status: 412, body: { code: "stale" } });
    const again = await ask("GET", address);
    expect((await ask("PATCH", address, second, { "if-match": again.etag })).status).toBe(200);
  }
});

test("a name with control characters is refused where people give one", async () => {
  const name = "a\u0000b";
  const posts: [address: string, json: unknown][] = [
    ["/api/admin/personas", { name, permissionMode: "read-only" }],
    ["/api/admin/users", { name, email: "x@example.test", role: "user" }],
    ["/api/tokens", { name, scopes: ["read"] }],
  ];
  for (const [address, json] of posts) expect((await ask("POST", address, json)).status).toBe(422);
});

test("of many who change at once what they read together, one does and the others are told", async () => {
  const { body } = await ask("POST", "/api/admin/personas", { name: "Contended", permissionMode: "read-only" });
  const address = `/api/admin/personas/${body.id}`;
  for (const path of [address, "/api/admin/settings"]) {
    const { etag } = await ask("GET", path);
    const change = (number: number) =>
      path === address ? { deny: [`d${number}`] } : { instanceName: `Name ${number}` };
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
    const answers = await Promise.all(
      numbers.map((number) => ask("PATCH", path, change(number), { "if-match": etag })),
    );
    const won = numbers.filter((_, index) => answers[index]?.status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(7);
    expect(JSON.stringify((await ask("GET", path)).body)).toContain(path === address ? `d${won[0]}` : `Name ${won[0]}`);
  }
});
