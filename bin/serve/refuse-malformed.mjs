import { randomUUID } from "node:crypto";
import { everywhere, ofApi } from "../../security-headers.mjs";

/** Methods that the Fetch standard forbids and `Request` rejects. */
const FORBIDDEN_METHODS = new Set(["CONNECT", "TRACE", "TRACK"]);

const MAX_LENGTH = 40_000;
const REFETCH = ["refetch", "inside-shared-layout", "metadata-only"];

/**
 * Answers requests on which the framework fails with 500: paths with percent escapes that are not UTF-8, targets that
 * are no path (`*`), forbidden methods, and invalid framework headers. Answers 400 or 405 and returns true; a problem
 * (RFC 9457) for the API, else plain text.
 */
export function refuseMalformed(request, response) {
  const path = (request.url ?? "/").split(/[?#]/, 1)[0];
  const refusal = refusalOf(request, path);
  if (refusal === null) return false;
  const { status, code, detail } = refusal;
  const requestId = request.headers?.["x-request-id"] ?? randomUUID();
  const isApi = /^\/+api(\/|$)/.test(path);
  const problem = { type: `/docs/api#${code}`, title: code, status, code, detail };
  for (const { key, value } of isApi ? [...everywhere, ...ofApi] : everywhere) response.setHeader(key, value);
  response.writeHead(status, {
    "content-type": isApi ? "application/problem+json" : "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "x-request-id": requestId,
  });
  response.end(isApi ? JSON.stringify({ ...problem, requestId }) : `${detail}\n`);
  return true;
}

function refusalOf({ method, headers }, path) {
  if (FORBIDDEN_METHODS.has(method)) {
    return { status: 405, code: "method_not_allowed", detail: `The method ${method} is not allowed.` };
  }
  if (!/^(\/|https?:\/\/)/i.test(path)) return { status: 400, code: "malformed", detail: "The address is not a path." };
  if (!isDecodable(path)) return { status: 400, code: "malformed", detail: "The address has a broken percent escape." };
  if (!isRouterState(headers["next-router-state-tree"])) {
    return { status: 400, code: "malformed", detail: "The header Next-Router-State-Tree cannot be read." };
  }
  return null;
}

function isDecodable(path) {
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether the header `Next-Router-State-Tree` is valid by the framework's `flightRouterStateSchema`; for any other the
 * framework answers 500.
 */
export function isRouterState(header) {
  if (header === undefined) return true;
  if (header.length > MAX_LENGTH) return false;
  try {
    return isTree(JSON.parse(decodeURIComponent(header)));
  } catch {
    return false;
  }
}

function isTree(value) {
  if (!Array.isArray(value) || value.length < 2 || value.length > 6) return false;
  const [segment, below, at, refetch, hints, hash] = value;
  return (
    isSegment(segment) &&
    isObject(below) &&
    Object.values(below).every(isTree) &&
    (at == null || (Array.isArray(at) && at.length === 2 && at.every(isText))) &&
    (refetch == null || REFETCH.includes(refetch)) &&
    (hints == null || typeof hints === "number") &&
    (hash === undefined || isText(hash))
  );
}

function isSegment(value) {
  if (isText(value)) return true;
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [name, key, kind, siblings] = value;
  const isKnown = /^(?:oc|[cd](?:i\(\.{1,3}\)|i\(\.\.\)\(\.\.\))?)$/.test(kind);
  return (
    isText(name) && isText(key) && isKnown && (siblings === null || (Array.isArray(siblings) && siblings.every(isText)))
  );
}

function isObject(value) {
  return typeof value === "object" && value !== null;
}

function isText(value) {
  return typeof value === "string";
}
