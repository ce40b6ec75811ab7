import { expect, test } from "vitest";
import { checkParameterHeaders } from "./answer-stateless";

const SCHEMA = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    limits: { type: "object", properties: { rows: { type: "integer", "x-mcp-header": "Rows" } } },
    dry: { type: "boolean", "x-mcp-header": "Dry" },
    list: {
      type: "array",
      items: { type: "object", properties: { deep: { type: "string", "x-mcp-header": "Deep" } } },
    },
    odd: { type: "string", "x-mcp-header": "no token" },
  },
};
const base64 = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;

test.each<[Record<string, string>, unknown, boolean]>([
  [{}, {}, true],
  [{}, undefined, true],
  [{ "mcp-param-region": "north" }, { region: "north" }, true],
  [{ "MCP-PARAM-REGION": base64("Süd ") }, { region: "Süd " }, true],
  [{ "mcp-param-rows": "42.0" }, { limits: { rows: 42 } }, true],
  [{ "mcp-param-dry": "true" }, { dry: true }, true],
  [{}, { region: null }, true],
  [{}, { list: [{ deep: "x" }], odd: "y" }, true],
  [{}, { region: "north" }, false],
  [{ "mcp-param-region": "south" }, { region: "north" }, false],
  [{ "mcp-param-region": "North" }, { region: "north" }, false],
  [{ "mcp-param-region": "=?base64?*?=" }, { region: "*" }, false],
  [{ "mcp-param-region": "north" }, {}, false],
  [{ "mcp-param-region": "null" }, { region: null }, false],
  [{ "mcp-param-rows": "43" }, { limits: { rows: 42 } }, false],
  [{ "mcp-param-rows": base64(" ") }, { limits: { rows: 0 } }, false],
  [{ "mcp-param-dry": "1" }, { dry: true }, false],
])("headers %j fit the arguments %j: %s", (headers, args, fits) => {
  const check = () => checkParameterHeaders(new Headers(headers), SCHEMA, args);
  if (fits) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: -32020 }));
});
