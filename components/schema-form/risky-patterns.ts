const longestPattern = 300;

/** A repeated group that repeats inside: `(a+)+`. The browser's engine may need exponential time for it. */
const nestedRepeat = /\((?:[^()\\]|\\.)*(?:[*+]|\{\d*,?\d*\})(?:[^()\\]|\\.)*\)(?:[*+]|\{)/;
/** Choices under a repeat, `(a|a)*`, and references back can need as long. */
const repeatedChoice = /\((?:[^()\\]|\\.)*\|(?:[^()\\]|\\.)*\)(?:[*+]|\{)/;

function isRisky(pattern: string): boolean {
  return (
    pattern.length > longestPattern ||
    nestedRepeat.test(pattern) ||
    repeatedChoice.test(pattern) ||
    /\\[1-9k]/.test(pattern)
  );
}

/**
 * A copy of a schema without the patterns that could hang the page. Schemas come from strangers; the server checks these
 * patterns with an engine of linear time.
 */
export function withoutRiskyPatterns<T>(schema: T): T {
  return copy(schema, false) as T;
}

function copy(node: unknown, holdsNames: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => copy(item, false));
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(([key, value]) => {
    return holdsNames || key !== "pattern" || typeof value !== "string" || !isRisky(value);
  });
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (!holdsNames && (key === "const" || key === "enum" || key === "default" || key === "examples"))
        return [key, value];
      if (!holdsNames && key === "patternProperties") return [key, copySafePatterns(value)];
      return [key, copy(value, !holdsNames && namedMaps.has(key))];
    }),
  );
}

const namedMaps = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);

function copySafePatterns(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  const safe = Object.entries(node).filter(([pattern]) => !isRisky(pattern));
  return Object.fromEntries(safe.map(([pattern, value]) => [pattern, copy(value, false)]));
}
