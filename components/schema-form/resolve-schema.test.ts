import { describe, expect, it } from "vitest";
import { labelOfPath, withoutDefaults, withoutSecrets } from "./resolve-schema";

const schema = {
  type: "object",
  properties: {
    user_name: { type: "string" },
    key: { $ref: "#/$defs/secret" },
    rows: { type: ["array", "null"], items: { anyOf: [{ type: "object", properties: { startTime: {} } }] } },
  },
  allOf: [{ properties: { extra: { title: "More" } } }],
  $defs: { secret: { type: "string", writeOnly: true } },
};

describe("labelOfPath", () => {
  it.each([
    ["user_name", "User name"],
    ["rows.1.startTime", "Rows, item 2, Start time"],
    ["extra", "More"],
  ])("names %s as the form does", (path, label) => {
    expect(labelOfPath(schema, path)).toBe(label);
  });
});

describe("withoutSecrets", () => {
  it("hides what the schema marks as secret, through references", () => {
    expect(withoutSecrets(schema, { user_name: "mara", key: "s3cret" })).toEqual({
      user_name: "mara",
      key: "(hidden)",
    });
  });
});

describe("withoutDefaults", () => {
  const withDefaults = {
    type: "object",
    properties: {
      lines: { type: "integer", default: 100 },
      levels: { type: "array", default: ["error"] },
      format: { type: "object", properties: { delimiter: { type: "string", default: "comma" } } },
      kind: { const: "text" },
    },
  };

  it("drops what the form fills in, also in nested objects", () => {
    const filled = { path: "/var/log", lines: 100, levels: ["error"], format: { delimiter: "comma" }, kind: "text" };
    expect(withoutDefaults(withDefaults, filled)).toEqual({ path: "/var/log" });
  });

  it("keeps what differs from the default", () => {
    const chosen = { lines: 5, levels: [], format: { delimiter: "tab" } };
    expect(withoutDefaults(withDefaults, chosen)).toEqual(chosen);
  });
});
