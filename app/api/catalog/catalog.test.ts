import { expect, test } from "vitest";
import type { InstallAnswer } from "@/lib/catalog/install/schema";
import type { CatalogDetail, CatalogPage } from "@/lib/catalog/schema";
import { fillEntries, fillSource } from "@/lib/catalog/testing/fill-catalog";
import { testServer } from "@/lib/testing/test-server";
import * as detailRoute from "./[id]/route";
import * as installRoute from "./install/route";
import * as packsRoute from "./packs/route";
import * as listRoute from "./route";
import * as updatesRoute from "./updates/route";

const { call, person, database } = await testServer([
  ["/api/catalog", listRoute],
  ["/api/catalog/[id]", detailRoute],
  ["/api/catalog/packs", packsRoute],
  ["/api/catalog/updates", updatesRoute],
  ["/api/catalog/install", installRoute],
]);
const user = await person("user");
const sourceId = await fillSource(database.writer, { label: "acme/skills" });
const [id = ""] = await fillEntries(database.writer, sourceId, [
  { name: "pdf", description: "Reads PDF.", tags: ["documents"], license: "MIT", tools: ["Read"] },
  { name: "xlsx", hasScripts: true, blocked: { code: "submodule", reason: "vendor is a submodule." } },
]);
// Stores the file as a sync would, so that nothing has to be fetched.
const entry = await database.reader.catalogEntry.findUniqueOrThrow({ where: { id } });
const bytes = new TextEncoder().encode("---\nname: pdf\ndescription: Reads PDF.\n---\n\n# How\n");
await database.writer.catalogBlob.create({
  data: { gitSha: entry.markerSha, size: bytes.length, bytes, createdAt: new Date() },
});

const get = (path: string, headers: Record<string, string> = {}) => call("GET", path, { token: user.token, headers });

test("the list has items, a cursor, the total, facets and the state of its sources", async () => {
  const first = await get("/api/catalog?limit=1");
  expect(first.status).toBe(200);
  const page = (await first.json()) as CatalogPage;
  expect(page).toMatchObject({
    items: [{ id, name: "pdf", allowedTools: ["Read"], files: 1, copies: 1, installed: false, updateAvailable: false }],
    nextCursor: expect.any(String),
    total: 2,
    facets: {
      license: [{ value: "MIT", count: 1 }],
      has: [
        { value: "instructions", count: 1 },
        { value: "scripts", count: 1 },
      ],
    },
    sources: [{ id: sourceId, label: "acme/skills", syncedAt: expect.any(String), error: null }],
  });
  const second = (await (await get(`/api/catalog?limit=1&cursor=${page.nextCursor}`)).json()) as CatalogPage;
  expect(second).toMatchObject({ items: [{ name: "xlsx", blocked: { code: "submodule" } }], nextCursor: null });
});

test.each(["sort=nonsense", "state=maybe", "limit=0", "cursor=x"])("?%s is malformed", async (query) => {
  const response = await get(`/api/catalog?${query}`);
  expect(response.status).toBe(400);
  expect(response.headers.get("content-type")).toContain("application/problem+json");
});

test("an entry answers with its playbook, and 304 while nothing changed", async () => {
  const response = await get(`/api/catalog/${id}`);
  expect((await response.json()) as CatalogDetail).toMatchObject({ body: "\n# How\n", diagnostics: [], findings: [] });
  const etag = response.headers.get("etag") ?? "";
  expect((await get(`/api/catalog/${id}`, { "if-none-match": etag })).status).toBe(304);
  expect((await get("/api/catalog/nothing")).status).toBe(404);
});

test("installing with the same key answers what the first request answered", async () => {
  const headers = { "idempotency-key": "install-1" };
  const install = (wanted: string) =>
    call("POST", "/api/catalog/install", { token: user.token, json: { id: wanted }, headers });
  const first = await install(id);
  expect(first.status).toBe(201);
  const answer = (await first.json()) as InstallAnswer;
  expect(answer.skills).toMatchObject([{ name: "pdf", enabled: false, pendingVersion: { state: "pending" } }]);
  expect(answer.skills[0]?.sourceId).toBe("acme/skills@main:skills/pdf");
  const again = await install(id);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await again.json()).toEqual(answer);
  expect((await install("another")).status).toBe(409);
});

test("what is blocked is listed and answers 422 with the reason", async () => {
  const blocked = await database.reader.catalogEntry.findFirstOrThrow({ where: { name: "xlsx" } });
  const response = await call("POST", "/api/catalog/install", { token: user.token, json: { id: blocked.id } });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ detail: expect.stringContaining("vendor is a submodule") });
});

test("packs and updates are lists like all others", async () => {
  for (const path of ["/api/catalog/packs", "/api/catalog/updates"]) {
    expect(await (await get(path)).json()).toEqual({ items: [], nextCursor: null });
  }
});
