import { expect, test } from "vitest";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

const { call, person } = await testServer(ROUTE_TABLE);
const admin = await person("admin");
const owner = await person("user");

async function ask(method: string, address: string, token: string, json?: unknown) {
  const response = await call(method, address, {
    token,
    headers: { host: "evil.example" },
    ...(json === undefined ? {} : { json }),
  });
  expect(response.status, `${method} ${address}`).toBeLessThan(300);
  return response.json();
}

async function offered(name: string) {
  const input = { name, description: `About ${name}.`, body: "Do it." };
  const skill = await ask("POST", "/api/skills", owner.token, input);
  const { items } = await ask("GET", `/api/skills/${skill.id}/versions`, owner.token);
  const version = `/api/skills/${skill.id}/versions/${items[0].digest}`;
  await ask("POST", `${version}/submit`, owner.token);
  await ask("POST", `${version}/decisions`, admin.token, { decision: "approve", comment: "" });
  await ask("PATCH", `/api/skills/${skill.id}`, owner.token, { enabled: true });
  return skill.id as string;
}

const open = await offered("open-notes");
const inner = await offered("inner-notes");
await ask("PATCH", `/api/skills/${open}`, admin.token, { visibility: "public" });

test("the commands are made of the server’s own address, never of what a request says of its host", async () => {
  const connection = await ask("GET", "/api/connect", owner.token);
  expect(connection).toMatchObject({
    scope: { kind: "root", id: null, path: "" },
    example: { name: "open-notes" },
    skills: 2,
    publicSkills: 1,
  });
  expect(JSON.stringify(connection)).not.toContain("evil.example");
});

test("a skill, a publisher and a collection each have an address that answers", async () => {
  const { slug } = await ask("POST", "/api/collections", owner.token, { title: "Notes", visibility: "public" });
  for (const skill of [inner, open]) await ask("POST", `/api/collections/${slug}/skills`, owner.token, { skill });
  const { handle } = await ask("GET", "/api/publishers/me", owner.token);
  const connect = (query: string) => ask("GET", `/api/connect?${query}`, owner.token);
  expect(await connect(`skill=${inner}`)).toMatchObject({
    scope: { kind: "skill", id: inner, path: `/s/${handle}/inner-notes` },
    ...{ skills: 1, publicSkills: 0, example: { name: "inner-notes", publisher: handle } },
  });
  expect(await connect(`publisher=${handle}`)).toMatchObject({
    ...{ scope: { path: `/p/${handle}` }, skills: 2, publicSkills: 1 },
  });
  expect(await connect("collection=notes")).toMatchObject({ scope: { path: "/c/notes" }, skills: 2, publicSkills: 1 });
});

test("a skill’s address has the name that it goes by in indexes", async () => {
  const input = { name: "Open_Words", description: "About words.", body: "Do it." };
  const skill = await ask("POST", "/api/skills", owner.token, input);
  const { scope } = await ask("GET", `/api/connect?skill=${skill.id}`, owner.token);
  expect(scope.path).toMatch(/\/open-words$/);
});

test("another person gets only the skills that they may see", async () => {
  const other = await person("user");
  expect(await ask("GET", "/api/connect", other.token)).toMatchObject({ skills: 1, publicSkills: 1 });
  expect((await call("GET", `/api/connect?skill=${inner}`, { token: other.token })).status).toBe(404);
  expect((await call("GET", "/api/connect")).status).toBe(401);
});

test("a skill that is switched off is not offered", async () => {
  await ask("PATCH", `/api/skills/${inner}`, owner.token, { enabled: false });
  expect(await ask("GET", `/api/connect?skill=${inner}`, owner.token)).toMatchObject({ skills: 0, example: null });
});
