import { expect, test } from "vitest";
import { capDescription } from "@/lib/skill-format/cap-description";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

const { call, person, database } = await testServer(ROUTE_TABLE);
const admin = await person("admin");
const owner = await person("user");

async function ask(method: string, address: string, token: string, json?: unknown) {
  const response = await call(method, address, { token, ...(json === undefined ? {} : { json }) });
  expect(response.status, `${method} ${address}`).toBeLessThan(300);
  return response.json();
}

async function approved(name: string, changelog: string) {
  const body = `Do ${name}.`;
  const skill = await ask("POST", "/api/skills", owner.token, { name, description: `About <${name}> & more.`, body });
  const { items } = await ask("GET", `/api/skills/${skill.id}/versions`, owner.token);
  const version = `/api/skills/${skill.id}/versions/${items[0].digest}`;
  await ask("POST", `${version}/submit`, owner.token, { changelog });
  await ask("POST", `${version}/decisions`, admin.token, { decision: "approve", comment: "" });
  await ask("PATCH", `/api/skills/${skill.id}`, owner.token, { enabled: true });
  return { id: skill.id as string, digest: items[0].digest as string };
}

const first = await approved("first-notes", "The <first> & only\u0001.");
const second = await approved("second-notes", "");
await ask("PATCH", `/api/skills/${first.id}`, admin.token, { visibility: "public" });

const namesIn = async (token?: string) => {
  const response = await call("GET", "/api/updates.json", token ? { token } : {});
  const page = (await response.json()) as { items: { skill: { name: string } }[] };
  return page.items.map(({ skill }) => skill.name);
};

test("the feed lists what the caller may see, and for anonymous callers what is public", async () => {
  expect(await namesIn(owner.token)).toEqual(["second-notes", "first-notes"]);
  expect(await namesIn((await person("user")).token)).toEqual(["first-notes"]);
  expect(await namesIn()).toEqual(["first-notes"]);
});

test("it goes on page by page", async () => {
  const page = await ask("GET", "/api/updates.json?limit=1", owner.token);
  const next = await ask("GET", `/api/updates.json?limit=1&cursor=${page.nextCursor}`, owner.token);
  expect([page.items[0].digest, next.items[0].digest]).toEqual([second.digest, first.digest]);
  expect(next.nextCursor).toBeNull();
  expect((await call("GET", "/api/updates.json?cursor=nonsense")).status).toBe(400);
});

test.each(["/api/updates.json", "/api/updates.atom"])("%s answers conditional reads", async (address) => {
  const response = await call("GET", address);
  const etag = response.headers.get("etag") ?? "";
  expect((await call("GET", address, { headers: { "if-none-match": etag } })).status).toBe(304);
  expect((await call("GET", address, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
});

test("the Atom feed names this server’s own address only", async () => {
  const response = await call("GET", "/api/updates.atom", { headers: { host: "evil.example" } });
  expect(response.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  const text = await response.text();
  expect(text).not.toContain("evil.example");
  expect(text).toContain("<title>first-notes version 1</title>");
});

test("a description is capped in both feeds", async () => {
  const id = { id: second.id };
  const { description } = await database.reader.skill.findUniqueOrThrow({ where: id });
  const long = `${"words ".repeat(400)}The end.`;
  await database.writer.skill.update({ where: id, data: { description: long } });
  const { items } = await ask("GET", "/api/updates.json", owner.token);
  const given = items.find(({ skill }: { skill: { name: string } }) => skill.name === "second-notes").skill.description;
  expect(given).toBe(capDescription(long));
  const atom = await (await call("GET", "/api/updates.atom", { token: owner.token })).text();
  expect(atom).toContain(given);
  expect(atom).not.toContain("The end.");
  await database.writer.skill.update({ where: id, data: { description } });
});

test("what is switched off or revoked leaves it", async () => {
  await ask("PATCH", `/api/skills/${first.id}`, owner.token, { enabled: false });
  expect(await namesIn()).toEqual([]);
  await ask("PATCH", `/api/skills/${first.id}`, owner.token, { enabled: true });
  const decisions = `/api/skills/${first.id}/versions/${first.digest}/decisions`;
  await ask("POST", decisions, admin.token, { decision: "revoke", comment: "Not any more." });
  expect(await namesIn()).toEqual([]);
  expect(await namesIn(owner.token)).toEqual(["second-notes"]);
});

test("a change of a collection, a publisher or a report that was changed since it was read is 412", async () => {
  const { slug } = await ask("POST", "/api/collections", owner.token, { title: "Notes" });
  await ask("POST", `/api/skills/${second.id}/reports`, owner.token, { reason: "broken", text: "It is." });
  const [report] = (await ask("GET", "/api/admin/reports", admin.token)).items;
  const cases: [address: string, first: unknown, second: unknown, token: string, status: number][] = [
    [`/api/collections/${slug}`, { title: "One" }, { title: "Two" }, owner.token, 200],
    ["/api/publishers/me", { bio: "One" }, { bio: "Two" }, owner.token, 200],
    [`/api/admin/reports/${report.id}`, { resolution: "removed" }, { resolution: "no_action" }, admin.token, 409],
  ];
  for (const [address, one, two, token, again] of cases) {
    const etag = (await call("GET", address, { token })).headers.get("etag") ?? "";
    const patch = (json: unknown, tag: string) => call("PATCH", address, { token, json, headers: { "if-match": tag } });
    expect((await patch(one, etag)).status).toBe(200);
    expect((await patch(two, etag)).status).toBe(412);
    const fresh = (await call("GET", address, { token })).headers.get("etag") ?? "";
    expect((await patch(two, fresh)).status).toBe(again);
  }
  expect(await database.reader.auditEvent.count({ where: { action: "collection.update" } })).toBe(2);
});
