import { describe, expect, it } from "vitest";
import { type ApiOperation, groupOperations, type OpenApi } from "./openapi";
import { curlExample } from "./operation-view";
import { schemaRows, typeOf } from "./schema-rows";

const get = { summary: "", "x-access": "read", "x-agents": "closed" as const, parameters: [], responses: {} };

describe("groupOperations", () => {
  it("groups paths by noun, main objects first and workers last", () => {
    const document: OpenApi = {
      info: { title: "", version: "" },
      servers: [],
      components: { "x-error-codes": {} },
      paths: {
        "/api/worker/register": { post: get },
        "/api/admin/users/{id}": { patch: get, get },
        "/api/skills/{id}/runs": { post: get },
        "/api/runs": { get },
        "/api/skills": { post: get, get },
      },
    };
    const groups = groupOperations(document).map(({ title, operations }) => [title, operations.map(({ id }) => id)]);
    expect(groups).toEqual([
      ["Skills", ["get-skills", "post-skills"]],
      ["Runs", ["get-runs", "post-skills-id-runs"]],
      ["Users", ["get-admin-users-id", "patch-admin-users-id"]],
      ["Worker", ["post-worker-register"]],
    ]);
  });
});

describe("schemaRows", () => {
  it("indents the properties of objects and lists", () => {
    const schema = {
      type: "object",
      required: ["a"],
      properties: {
        a: { type: "array", items: { type: "object", properties: { b: { type: "string" } } } },
        c: {
          anyOf: [{ type: "object", properties: { d: { type: "number", minimum: 1, maximum: 5 } } }, { type: "null" }],
        },
      },
    };
    expect(schemaRows(schema).map(({ name, depth, type, required }) => [name, depth, type, required])).toEqual([
      ["a", 0, "object[]", true],
      ["b", 1, "string", false],
      ["c", 0, "object | null", false],
      ["d", 1, "number", false],
    ]);
  });

  it.each([
    [{ enum: ["a", "b"] }, '"a" | "b"'],
    [{ const: true }, "true"],
    [{ type: "array", items: { type: ["string", "null"] } }, "(string | null)[]"],
    [{ $ref: "#/components/schemas/Problem" }, "Problem"],
    [{}, "any"],
  ])("names the type of %j", (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });
});

describe("curlExample", () => {
  it("fills in required fields only", () => {
    const operation: ApiOperation = {
      ...get,
      id: "x",
      method: "POST",
      path: "/api/things/{id}",
      requestBody: {
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["name", "kind"],
              properties: { name: { type: "string" }, kind: { enum: ["a", "b"] }, extra: { type: "string" } },
            },
          },
        },
      },
    };
    const command = curlExample(operation, "http://h");
    expect(command).toContain("-X POST 'http://h/api/things/ID'");
    expect(command).toContain(`--data-raw '{"name":"…","kind":"a"}'`);
  });
});
