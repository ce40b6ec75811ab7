import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

const SCHEME = "skill://";

/** The address of a file of a skill’s folder: `skill://<name>/<path>`, each part percent-encoded. */
export function skillUri(name: string, path: string): string {
  const parts = [name, ...path.split("/")].filter((part) => part !== "");
  return SCHEME + parts.map(encodeURIComponent).join("/");
}

/** Parses such an address; `path` is empty for the folder. Rejects `.`, `..` and encoded separators. */
export function readSkillUri(uri: string): { name: string; path: string } {
  const parts = uri.startsWith(SCHEME) ? uri.slice(SCHEME.length).replace(/\/$/, "").split("/").map(decode) : [];
  const [name, ...rest] = parts;
  const isWrong = (part: string | null) => part === null || /^\.{0,2}$|[/\\\0]/.test(part);
  if (!name || parts.some(isWrong)) throw unknownUri(uri);
  return { name, path: rest.join("/") };
}

/** Whether a text is such an address, of a skill that may or may not exist. */
export function isSkillUri(uri: string): boolean {
  try {
    return readSkillUri(uri).path !== "";
  } catch (error) {
    if (error instanceof McpError) return false;
    throw error;
  }
}

/** The error of the extension; it is the same for hidden and for missing files. */
export function unknownUri(uri: string): McpError {
  return new McpError(ErrorCode.InvalidParams, `There is nothing at ${uri.slice(0, 300)}.`, { uri: uri.slice(0, 300) });
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

// Messages of the skills extension (SEP-2640), which the SDK does not know yet.
const Uri = z.looseObject({ uri: z.string().max(2000) });
const Cursor = z.string().max(200).optional();

export const ListSkillsRequest = z.object({
  method: z.literal("skills/list"),
  params: z.looseObject({ cursor: Cursor }).optional(),
});
export const SkillRequest = z.object({ method: z.literal("skills/get"), params: Uri });
export const ReadDirectoryRequest = z.object({
  method: z.literal("resources/directory/read"),
  params: Uri.extend({ cursor: Cursor }),
});

type Named = { name: string };

/** A page of items ordered by name, after the one that the cursor names. */
export function pageFrom<T extends Named>(items: readonly T[], cursor: string | undefined, size: number) {
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const rest = after === null ? items : items.filter(({ name }) => name > after);
  const page = rest.slice(0, size);
  const last = rest.length > size ? page.at(-1)?.name : undefined;
  return { items: page, next: last === undefined ? {} : { nextCursor: encodeCursor(last) } };
}

/** A cursor that names the last item of a page. */
export function encodeCursor(last: string): string {
  return Buffer.from(last).toString("base64url");
}

/** The item that a cursor names; -32602 for text that is no cursor. */
export function decodeCursor(cursor: string): string {
  if (!/^[A-Za-z0-9_-]{1,1000}$/.test(cursor)) throw new McpError(ErrorCode.InvalidParams, "The cursor is invalid.");
  return Buffer.from(cursor, "base64url").toString("utf8");
}
