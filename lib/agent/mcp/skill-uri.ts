import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";

const SCHEME = "skill://";

/** The address of a file of a skill’s folder: `skill://<name>/<path>`, each part percent-encoded. */
export function skillUri(name: string, path: string): string {
  const parts = [name, ...path.split("/")].filter((part) => part !== "");
  return SCHEME + parts.map(encodeURIComponent).join("/");
}

/** What such an address names; `path` is empty for the folder. Parts that lead elsewhere are refused, encoded or not. */
export function readSkillUri(uri: string): { name: string; path: string } {
  const parts = uri.startsWith(SCHEME) ? uri.slice(SCHEME.length).replace(/\/$/, "").split("/").map(decode) : [];
  const [name, ...rest] = parts;
  const isWrong = (part: string | null) => part === null || /^\.{0,2}$|[/\\\0]/.test(part);
  if (!name || parts.some(isWrong)) throw unknownUri(uri);
  return { name, path: rest.join("/") };
}

/** The error that the extension asks for; it does not tell what is hidden from what is not there. */
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
