export type JsonLimits = { maxDepth: number; maxNodes: number; maxBytes: number };

/**
 * Why a value is not JSON within limits, or null. Depth counts nested objects and arrays; a node is any value in them
 * (with `containersOnly`, any object or array); bytes are those of its JSON in UTF-8. Looks at no more than `maxNodes`
 * nodes, so a cycle or a monster costs nothing. Refuses `__proto__` keys and everything that JSON cannot say.
 */
export function findJsonProblem(value: unknown, limits: JsonLimits, containersOnly = false): string | null {
  const stack: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let nodes = 0;
  let scalars = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const children = childrenOf(next.value);
    if (typeof children === "string") return children;
    if (children === null && containersOnly) scalars += 1;
    else nodes += 1;
    const waiting = nodes + stack.length + (children?.length ?? 0);
    if (nodes > limits.maxNodes || scalars > limits.maxBytes || (!containersOnly && waiting > limits.maxNodes)) {
      return `it has more than ${limits.maxNodes} values`;
    }
    if (children === null) continue;
    if (next.depth >= limits.maxDepth) return `it is nested deeper than ${limits.maxDepth} levels`;
    if (children.length > limits.maxBytes) return `it is larger than ${limits.maxBytes} bytes`;
    for (const child of children) stack.push({ value: child, depth: next.depth + 1 });
  }
  // Safe now: the walk has bounded the tree.
  return new TextEncoder().encode(JSON.stringify(value)).length > limits.maxBytes
    ? `it is larger than ${limits.maxBytes} bytes`
    : null;
}

/** The values inside a container, null for a scalar, or a text when the value is not JSON. */
function childrenOf(value: unknown): unknown[] | null | string {
  if (value === null || typeof value === "string" || typeof value === "boolean") return null;
  if (typeof value === "number") return Number.isFinite(value) ? null : "it has a number that JSON cannot hold";
  if (typeof value !== "object") return `it has a value that JSON cannot hold (${typeof value})`;
  if (Array.isArray(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return "it has an object that is not plain JSON";
  if (Object.hasOwn(value, "__proto__")) return 'it has a "__proto__" key';
  return Object.values(value);
}
