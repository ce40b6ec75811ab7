import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";

type Named = { name: string };

/** The items, ordered by name, that come after the one a cursor names; at most `size`. */
export function pageFrom<T extends Named>(items: readonly T[], cursor: string | undefined, size: number) {
  const after = cursor === undefined ? null : decode(cursor);
  const rest = after === null ? items : items.filter(({ name }) => name > after);
  const page = rest.slice(0, size);
  const last = rest.length > size ? page.at(-1)?.name : undefined;
  return { items: page, next: last === undefined ? {} : { nextCursor: Buffer.from(last).toString("base64url") } };
}

function decode(cursor: string): string {
  if (!/^[A-Za-z0-9_-]{1,1000}$/.test(cursor))
    throw new McpError(ErrorCode.InvalidParams, "The cursor is not one of ours.");
  return Buffer.from(cursor, "base64url").toString("utf8");
}
