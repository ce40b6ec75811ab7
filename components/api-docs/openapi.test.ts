import { describe, expect, it } from "vitest";
import { type ApiOperation, findOperations, groupOfAnchor, groupOperations, type OpenApi } from "./openapi";
import { curlExample } from "./operation-view";
import { schemaRows, typeOf } from "./schema-rows";

const get = {
  tags: ["skills"],
  summary: "",
  "x-access": "read",
  "x-agents": "closed" as const,
  parameters: [],
  responses: {},
};

const tagged = (tag: string, summary = "") => ({ ...get, tags: [tag], summary });
const description: OpenApi = {
  info: { title: "", version: "" },
  servers: [],
  tags: ["skills", "runs", "admin", "workers"].map((name) => ({ name, description: `About ${name}` })),
  components: { "x-error-codes": {} },
  paths: {
    "/api/admin/users/{id}": { patch: tagged("admin", "Change a person"), get: tagged("admin") },
    "/api/skills/{id}/runs": { post: tagged("runs", "Start a run") },
    "/api/runs": { get: tagged("runs", "List runs") },
    "/api/skills": { post: tagged("skills"), get: tagged("skills", "List skills") },
  },
};

describe("groupOperations", () => {
  it("groups operations by tag in the document's order, and leaves out tags without any", () => {
    const groups = groupOperations(description).map(({ title, operations }) => [title, operations.map(({ id }) => id)]);
    expect(groups).toEqual([
      ["Skills", ["get-skills", "post-skills"]],
      ["Runs", ["get-runs", "post-skills-id-runs"]],
      ["Administration", ["get-admin-users-id", "patch-admin-users-id"]],
    ]);
  });

  it("finds the group of a group's or an operation's anchor, and none for error codes", () => {
    const groups = groupOperations(description);
    expect(groupOfAnchor(groups, "runs")?.id).toBe("runs");
    expect(groupOfAnchor(groups, "post-skills-id-runs")?.id).toBe("runs");
    expect(groupOfAnchor(groups, "not_found")).toBeNull();
  });

  it("finds operations by name or address, also with a typing error", () => {
    const found = (typed: string) => findOperations(groupOperations(description), typed).map(({ id }) => id);
    expect(found("start run")).toEqual(["post-skills-id-runs"]);
    expect(found("chnage person")).toEqual(["patch-admin-users-id"]);
    expect(found("users")).toEqual(["get-admin-users-id", "patch-admin-users-id"]);
    expect(found("nonsense")).toEqual([]);
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
