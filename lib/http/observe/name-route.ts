import { ROUTE_PATHS } from "./route-paths";

type Pattern = { path: string; parts: string[] };

const EXACT = new Set(ROUTE_PATHS.filter((path) => !path.includes("[")));
/** Those that name more come first, as the framework prefers them. */
const PATTERNS: Pattern[] = ROUTE_PATHS.filter((path) => path.includes("["))
  .map((path) => ({ path, parts: path.split("/") }))
  .sort((a, b) => compare(a.parts, b.parts));
const STATIC = /^\/(?:_next\/|icon\.svg$|robots\.txt$|favicon\.ico$)/;

/**
 * The route that an address belongs to, as the folders below app are named: `/api/runs/[id]`. `static` for the framework's
 * own files and `other` for what no route has, so that there is never one more name than there are routes.
 */
export function nameRoute(address: string): string {
  const path = address.split(/[?#]/, 1)[0] ?? "";
  if (EXACT.has(path)) return path;
  if (STATIC.test(path)) return "static";
  const parts = path.split("/");
  return PATTERNS.find((pattern) => fits(pattern.parts, parts))?.path ?? "other";
}

function fits(pattern: string[], given: string[]): boolean {
  for (let index = 0; index < pattern.length; index += 1) {
    const [part, text] = [pattern[index], given[index]];
    if (part === text || part === undefined) continue;
    if (!part.startsWith("[")) return false;
    if (part.startsWith("[...") || part.startsWith("[[...")) return given.length > index;
    if (!text) return false;
  }
  return pattern.length === given.length;
}

function compare(a: string[], b: string[]): number {
  for (const [index, part] of a.entries()) {
    const difference = rank(part) - rank(b[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function rank(part: string | undefined): number {
  if (part === undefined) return 3;
  if (part.startsWith("[...") || part.startsWith("[[...")) return 2;
  return part.startsWith("[") ? 1 : 0;
}
