/** All that has an address: the paths of route files and of pages below app, and patterns that lead to route files. */
export type Addresses = {
  endpoints: readonly string[];
  pages: readonly string[];
  rewrites: readonly (readonly [pattern: string, replacement: string])[];
};

export type Found = {
  /** What the request is called in logs and metrics: `/api/runs/[id]`, `static` for the framework's own files, or `other`. */
  name: string;
  /** The route file that answers it. */
  endpoint: { params: Params; target: string } | null;
};
/** As the address spells them. */
export type Params = Record<string, string | string[]>;

/** Finds what a request target belongs to. There is never one more name than there are routes and pages. */
export type FindAddress = (target: string) => Found;

const STATIC = /^\/(?:_next\/|icon\.svg$|robots\.txt$|favicon\.ico$)/;
/** The spelling that needs no parsing. */
const PLAIN = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/;

type Located = { name: string; params: Params };

export function addressTable({ endpoints, pages, rewrites }: Addresses): FindAddress {
  const all = [...endpoints, ...pages];
  const exact = new Map(all.filter((path) => !path.includes("[")).map((name) => [name, { name, params: {} }]));
  const patterns = all
    .filter((path) => path.includes("["))
    .map((name) => ({ name, parts: name.split("/") }))
    // Those that name more come first, as the framework prefers them.
    .sort((a, b) => compare(a.parts, b.parts));
  const rules = rewrites.map(([pattern, replacement]) => [new RegExp(pattern), replacement] as const);
  const answered = new Set(endpoints);

  function locate(path: string): Located | null {
    const found = exact.get(path);
    if (found) return found;
    const given = path.split("/");
    for (const { name, parts } of patterns) {
      const params = readParams(parts, given);
      if (params !== null) return { name, params };
    }
    return null;
  }

  return (target) => {
    const spelt = spell(target);
    if (spelt === null) return { name: "other", endpoint: null };
    let { path } = spelt;
    let located = locate(path);
    if (located === null) {
      if (STATIC.test(path)) return { name: "static", endpoint: null };
      const rule = rules.find(([pattern]) => pattern.test(path));
      if (rule === undefined) return { name: "other", endpoint: null };
      path = path.replace(...rule);
      located = locate(path);
    }
    if (located === null || !answered.has(located.name)) return { name: located?.name ?? "other", endpoint: null };
    return { name: located.name, endpoint: { params: located.params, target: path + spelt.query } };
  };
}

/**
 * A target with its dots resolved (WHATWG URL). Null for what is no path, and for a path with empty parts, backslashes or a
 * slash at its end: the framework redirects to the spelling without.
 */
function spell(target: string): { path: string; query: string } | null {
  const end = target.search(/[?#]/);
  const path = end === -1 ? target : target.slice(0, end);
  if (PLAIN.test(path)) return { path, query: end === -1 ? "" : target.slice(end) };
  if (!path.startsWith("/") || /\/\/|\\/.test(path)) return null;
  const { pathname, search } = new URL(target, "http://path.invalid");
  if (pathname !== "/" && pathname.endsWith("/")) return null;
  return { path: pathname, query: search };
}

function readParams(pattern: string[], given: string[]): Params | null {
  const params: Params = {};
  for (const [index, part] of pattern.entries()) {
    const text = given[index];
    if (part.startsWith("[")) {
      if (!text) return null;
      if (part.startsWith("[...")) return { ...params, [part.slice(4, -1)]: given.slice(index) };
      params[part.slice(1, -1)] = text;
    } else if (part !== text) return null;
  }
  return pattern.length === given.length ? params : null;
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
  if (part.startsWith("[...")) return 2;
  return part.startsWith("[") ? 1 : 0;
}
