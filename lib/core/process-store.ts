import { randomBytes } from "node:crypto";
import { hostname } from "node:os";

/**
 * One value per process. The framework loads modules once per bundle, so singletons such as the database connection
 * live on the global object under a registered symbol.
 */
export function processStore<T>(name: string, create: () => T): T {
  const key = keyOf(name);
  const store = globalThis as unknown as Record<symbol, T | undefined>;
  store[key] ??= create();
  return store[key];
}

/** One value per process and owner, such as a database; collected with its owner. */
export function storeOf<T>(owner: object, name: string, create: () => T): T {
  const all = processStore(name, () => new WeakMap<object, T>());
  let value = all.get(owner);
  if (value === undefined) {
    value = create();
    all.set(owner, value);
  }
  return value;
}

const keys = new Map<string, symbol>();

function keyOf(name: string): symbol {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = Symbol.for(`skillgate.${name}`);
  keys.set(name, key);
  return key;
}

/** Host, process id and four random bytes, so that a reused process id gives another value. */
export function processId(): string {
  return processStore("process-id", () => `${hostname()} ${process.pid} ${randomBytes(4).toString("hex")}`);
}
