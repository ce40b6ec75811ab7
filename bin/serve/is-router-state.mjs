const MAX_LENGTH = 40_000;
const REFETCH = ["refetch", "inside-shared-layout", "metadata-only"];

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
