import type { RouteHandler } from "../route";

export type DirectRoute = {
  method: string;
  /** As the folders under app/ are named: `/api/runs/[id]`. */
  path: string;
  /** Paths that fit it and have a route of their own, which the framework prefers. */
  besides?: readonly string[];
  handler: RouteHandler;
};
export type DirectMatch = { handler: RouteHandler; params: Record<string, string> };

/** Addresses of other characters, with empty parts or with dots for parts are the framework's to understand. */
const PLAIN = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/;

/** Finds the route of a method and a path; null when none has it or the path is an unusual one. */
export function directMatcher(routes: readonly DirectRoute[]): (method: string, path: string) => DirectMatch | null {
  const table = routes.map(({ path, ...route }) => ({ ...route, parts: path.split("/") }));
  return (method, path) => {
    if (!table.some((route) => route.method === method) || !PLAIN.test(path)) return null;
    const given = path.split("/");
    for (const { method: wanted, parts, besides = [], handler } of table) {
      if (wanted !== method || parts.length !== given.length || besides.includes(path)) continue;
      const params = readParams(parts, given);
      if (params !== null) return { handler, params };
    }
    return null;
  };
}

function readParams(parts: string[], given: string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const text = given[index] ?? "";
    if (part.startsWith("[")) params[part.slice(1, -1)] = text;
    else if (part !== text) return null;
  }
  return params;
}
