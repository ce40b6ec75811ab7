/**
 * One value per process. The framework loads modules once per bundle (start-up hook, each route), so what must exist
 * once, such as a database connection or a wake-up bus, is kept on the global object under a registered symbol.
 */
export function processStore<T>(name: string, create: () => T): T {
  const key = Symbol.for(`skillgate.${name}`);
  const store = globalThis as unknown as Record<symbol, T | undefined>;
  store[key] ??= create();
  return store[key];
}
