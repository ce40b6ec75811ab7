import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { isMapping } from "@/lib/skill-format/json-values";
import type { JsonObject } from "@/lib/skill-format/schema";
import { decodeHeader, HEADER_MISMATCH } from "./read-envelope";

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

type Mirrored = { header: string; value: unknown };

/**
 * Compares the headers `Mcp-Param-…` of a call with its arguments, for each parameter that the tool’s schema marks with
 * `x-mcp-header` (basic/transports/streamable-http, Custom Headers from Tool Parameters). Throws -32020 for a header that is
 * missing, is not valid, or says something else than the body.
 */
export function checkParameterHeaders(headers: Headers, schema: JsonObject, args: unknown): void {
  for (const { header, value } of findMirrored(schema, args)) {
    const said = headers.get(header);
    const isAbsent = value === undefined || value === null;
    if (isAbsent && said === null) continue;
    if (said === null) throw new McpError(HEADER_MISMATCH, `The header ${header} is missing.`);
    const decoded = decodeHeader(said);
    const isSame =
      typeof value === "number" ? decoded?.trim() !== "" && Number(decoded) === value : decoded === String(value);
    if (isAbsent || decoded === null || !isSame) {
      throw new McpError(HEADER_MISMATCH, `The header ${header} differs from the argument in the body.`);
    }
  }
}

/** Only chains of `properties` are followed; the protocol allows no other place. */
function findMirrored(schema: JsonObject, args: unknown): Mirrored[] {
  if (!isMapping(schema.properties)) return [];
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    if (!isMapping(property)) return [];
    const value = isMapping(args) && Object.hasOwn(args, name) ? args[name] : undefined;
    const marked = property["x-mcp-header"];
    const isMarked = typeof marked === "string" && TOKEN.test(marked);
    return [...(isMarked ? [{ header: `Mcp-Param-${marked}`, value }] : []), ...findMirrored(property, value)];
  });
}
