/** Every address of the product: paths of route files and pages below app, and public patterns that map to route files. */
export type Addresses = {
  endpoints: readonly string[];
  pages: readonly string[];
  rewrites: readonly (readonly [pattern: string, replacement: string])[];
};

export type Found = {
  /** Name in logs and metrics: `/api/runs/[id]`, `static` for the framework's own files, or `other`. */
  name: string;
  /** Route file to call; null when the framework answers: pages, its own files, redirects. */
  endpoint: { params: Params; target: string } | null;
};
/** Still percent-encoded. */
export type Params = Record<string, string | string[]>;

/** Finds the route or page of a request target. Names come from a fixed list, so metrics stay bounded. Never throws. */
export type FindAddress = (target: string) => Found;

/** Answers unknown addresses of the API; public patterns below /api come before it. */
const CATCH_ALL = "/api/[...unknown]";

const STATIC = /^\/(?:_next\/|icon\.svg$|robots\.txt$|favicon\.ico$)/;
/** Paths that need no URL parsing. */
const PLAIN = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/;

type Located = { name: string; params: Params };

export function addressTable({ endpoints, pages, rewrites }: Addresses): FindAddress {
  const all = [...endpoints, ...pages];
  const exact = new Map(all.filter((path) => !path.includes("[")).map((name) => [name, { name, params: {} }]));
  const patterns = all
    .filter((path) => path.includes("["))
    .map((name) => ({ name, parts: name.split("/") }))
    // The framework prefers the more specific pattern too.
    .sort((a, b) => compare(a.parts, b.parts));
  const rules = rewrites.map(([pattern, replacement]) => [new RegExp(pattern), replacement] as const);
  /** Addresses that a protocol ends with a slash, which is no unusual spelling there. */
  const withSlash = rules.filter((_, index) => rewrites[index]?.[0].endsWith("/$"));
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
    const url = parse(target);
    if (url === null) return { name: "other", endpoint: null };
    let { path } = url;
    if (url.spelling !== "usual") {
      const rule = url.spelling === "slash" ? withSlash.find(([pattern]) => pattern.test(path)) : undefined;
      if (rule === undefined) return { name: "other", endpoint: null };
      path = path.replace(...rule);
    }
    let located = locate(path);
    if (located === null || located.name === CATCH_ALL) {
      if (STATIC.test(path)) return { name: "static", endpoint: null };
      const rule = rules.find(([pattern]) => pattern.test(path));
      if (rule !== undefined) {
        path = path.replace(...rule);
        located = locate(path);
      }
    }
    if (located === null || !answered.has(located.name)) return { name: located?.name ?? "other", endpoint: null };
    return { name: located.name, endpoint: { params: located.params, target: path + url.query } };
  };
}

/** `slash`: with nothing unusual but a slash at the end. */
type Target = { path: string; query: string; spelling: "usual" | "slash" | "other" };

/**
 * The parts of a target, `.` and `..` resolved (WHATWG URL); null for what is no URL. The framework handles whole URLs, and
 * redirects paths with empty parts, backslashes or a trailing slash, which only declared addresses may have.
 */
function parse(target: string): Target | null {
  const end = target.search(/[?#]/);
  const path = end === -1 ? target : target.slice(0, end);
  if (PLAIN.test(path)) return { path, query: end === -1 ? "" : target.slice(end), spelling: "usual" };
  const relative = path.startsWith("/") ? `/${target.replace(/^[/\\]+/, "")}` : target;
  if (!URL.canParse(relative, "http://path.invalid")) return null;
  const { pathname, search } = new URL(relative, "http://path.invalid");
  const isTrailing = pathname !== "/" && pathname.endsWith("/");
  const isUnusual = !path.startsWith("/") || /\/\/|\\/.test(path);
  return { path: pathname, query: search, spelling: isUnusual ? "other" : isTrailing ? "slash" : "usual" };
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
