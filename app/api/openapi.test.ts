import { expect, test } from "vitest";
import { z } from "zod";
import { groupOperations, type OpenApi } from "@/components/api-docs/openapi";
import { describeApi } from "@/lib/http/describe-api";
import packageJson from "@/package.json" with { type: "json" };
import { ROUTE_TABLE } from "./testing/route-table";

/** Rules of the recommended set of `redocly lint` that code generators rely on. */
const Operation = z.object({
  operationId: z.string(),
  summary: z.string().min(5),
  tags: z.array(z.string()).length(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean() })).default([]),
  requestBody: z.object({ required: z.boolean(), content: z.record(z.string(), z.unknown()) }).optional(),
  responses: z.record(z.string(), z.unknown()),
});
const Document = z.object({
  info: z.object({ title: z.string(), version: z.string(), license: z.object({ name: z.string() }) }),
  servers: z.array(z.object({ url: z.url() })),
  tags: z.array(z.object({ name: z.string(), description: z.string().min(10) })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ securitySchemes: z.record(z.string(), z.unknown()) }),
});

const Response = z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })).optional() });
const hasContent = (response: unknown) => Object.keys(Response.parse(response).content ?? {}).length > 0;

/** What the reference page reads; it does not check it. */
const Content = z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) }));
const ShownDocument = z.looseObject({
  servers: z.array(z.object({ url: z.string() })),
  components: z.looseObject({ "x-error-codes": z.record(z.string(), z.number()) }),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        summary: z.string(),
        "x-access": z.string(),
        "x-agents": z.enum(["open", "closed"]),
        parameters: z
          .array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean(), schema: z.looseObject({}) }))
          .optional(),
        requestBody: z.looseObject({ content: Content }).optional(),
        responses: z.record(
          z.string(),
          z.looseObject({ description: z.string().optional(), content: Content.optional() }),
        ),
      }),
    ),
  ),
});

// The description does not describe its own address.
const table = ROUTE_TABLE.filter(([path]) => path !== "/api/openapi.json");
const raw: unknown = JSON.parse(JSON.stringify(await describeApi(table, "https://skillgate.example")));
const document = Document.parse(raw);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ at: `${method.toUpperCase()} ${path}`, path, ...operation })),
);

test("the document says what it is of", () => {
  expect(document.info).toMatchObject({ version: packageJson.version, license: { name: packageJson.license } });
  expect(document.servers).toEqual([{ url: "https://skillgate.example" }]);
  expect(operations.length).toBeGreaterThan(250);
});

test("every operation has a name of its own, which is one word that a program can call", () => {
  const named = new Map<string, string>();
  for (const { at, operationId } of operations) {
    expect(operationId, at).toMatch(/^[a-z]+([A-Z][a-z0-9]*)+$/);
    const key = operationId.toLowerCase();
    expect(`${named.get(key) ?? ""}${at}`, operationId).toBe(at);
    named.set(key, at);
  }
});

test.each([
  ["GET /api/skills", "listSkills"],
  ["POST /api/skills", "createSkill"],
  ["GET /api/skills/{id}", "getSkill"],
  ["GET /api/skills/{id}/versions/{digest}/files/{path}", "getSkillVersionFile"],
  ["POST /api/skills/{id}/runs", "runSkill"],
  ["POST /api/runs/{id}/cancel", "cancelRun"],
  ["POST /api/runs/cancel", "cancelRuns"],
  ["PATCH /api/admin/personas/{id}", "updatePersona"],
  ["GET /api/admin/settings", "getSettings"],
  ["GET /api/audit", "listAuditEvents"],
  ["GET /api/v1/skills/{slug}", "getClawhubSkill"],
])("%s is %s", (at, operationId) => {
  expect(operations.find((operation) => operation.at === at)?.operationId).toBe(operationId);
});

test("every operation has a tag, known security, an answer and a problem, and the parameters of its address", () => {
  const [tags, schemes] = [document.tags.map(({ name }) => name), Object.keys(document.components.securitySchemes)];
  for (const { at, path, ...operation } of operations) {
    expect(tags, at).toEqual(expect.arrayContaining(operation.tags));
    expect(schemes, at).toEqual(expect.arrayContaining(operation.security.flatMap((one) => Object.keys(one))));
    const statuses = Object.keys(operation.responses);
    expect([statuses.some((status) => /^2\d\d$/.test(status)), statuses.includes("4XX")], at).toEqual([true, true]);
    const places = operation.parameters.filter((parameter) => parameter.in === "path");
    expect(
      places.every(({ required }) => required),
      at,
    ).toBe(true);
    expect(places.map(({ name }) => `{${name}}`).sort(), at).toEqual((path.match(/\{\w+\}/g) ?? []).sort());
    const names = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    expect(new Set(names).size, at).toBe(names.length);
  }
  expect([...new Set(operations.flatMap((operation) => operation.tags))].sort()).toEqual([...tags].sort());
});

test.each([
  ["activateSkillVersion", false],
  ["submitSkillVersion", false],
  ["runSkill", false],
  ["createSkill", true],
  ["sendMcpMessage", true],
])("whether %s needs a body: %s", (name, required) => {
  expect(operations.find(({ operationId }) => operationId === name)?.requestBody?.required).toBe(required);
});

/** Only these answers have no body although their status allows one. */
const EMPTY = ["200 DELETE /mcp", "202 POST /mcp"];

test("every answer of success says what it is made of, except those that are empty", () => {
  const silent = operations.flatMap(({ at, responses }) =>
    Object.entries(responses)
      .filter(([status, response]) => status.startsWith("2") && status !== "204" && !hasContent(response))
      .map(([status]) => `${status} ${at}`),
  );
  expect(silent.sort()).toEqual(EMPTY);
});

test.each([
  ["runSkill", 200, ["application/json"]],
  ["runSkill", 201, ["application/json"]],
  ["runSkill", 202, ["application/json"]],
  ["importSkills", 200, ["application/json"]],
  ["listAgentTools", 200, ["application/json"]],
  ["exportSkill", 200, ["text/markdown", "application/zip"]],
  ["exportAuditEvents", 200, ["application/x-ndjson", "text/csv"]],
  ["streamRunEvents", 200, ["text/event-stream"]],
])("%s answers %i with %j", (name, status, types) => {
  const response = operations.find(({ operationId }) => operationId === name)?.responses[status];
  expect(Object.keys(Response.parse(response).content ?? {})).toEqual(types);
});

test("every reference leads somewhere, and what is required has a schema", () => {
  const problems: string[] = [];
  const walk = (value: unknown, at: string) => {
    if (typeof value !== "object" || value === null) return;
    const { $ref, required, properties } = value as { $ref?: unknown; required?: unknown; properties?: object };
    if (typeof $ref === "string" && !leadsSomewhere($ref)) problems.push(`${at}: ${$ref}`);
    if (Array.isArray(required) && "type" in value && value.type === "object")
      for (const name of required) if (!(name in (properties ?? {}))) problems.push(`${at}: ${name} has no schema`);
    for (const [key, child] of Object.entries(value)) walk(child, `${at}/${key}`);
  };
  walk(raw, "");
  expect(problems).toEqual([]);
});

test("the reference page shows each of them under an address of its own", () => {
  const shown = groupOperations(ShownDocument.parse(raw) as OpenApi).flatMap((group) => group.operations);
  expect(shown.length).toBe(operations.length);
  expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
});

function leadsSomewhere(ref: string): boolean {
  const parts = ref.startsWith("#/") ? ref.slice(2).split("/") : [""];
  let found: unknown = raw;
  for (const part of parts) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    found = typeof found === "object" && found !== null ? (found as Record<string, unknown>)[key] : undefined;
  }
  return found !== undefined;
}

test("the parts together hold the operations of the whole, and the outline names all of them in a tenth of the bytes", async () => {
  const url = "https://skillgate.example";
  const idsOf = (part: unknown) =>
    Object.values(Document.pick({ paths: true }).parse(part).paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
  const outline = JSON.parse(JSON.stringify(await describeApi(table, url, { isOutline: true })));
  const named = Object.values(Outline.parse(outline).paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const parts = await Promise.all(Document.parse(raw).tags.map(({ name }) => describeApi(table, url, { tag: name })));
  expect(parts.flatMap((part) => idsOf(JSON.parse(JSON.stringify(part)))).sort()).toEqual(idsOf(raw).sort());
  expect(named.sort()).toEqual(idsOf(raw).sort());
  expect(JSON.stringify(outline).length).toBeLessThan(JSON.stringify(raw).length / 10);
});

const Outline = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string(), summary: z.string().min(5) }))),
});
