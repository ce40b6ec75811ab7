import { afterAll, vi } from "vitest";

// Test files share a process: what one of them changes in it is undone before the next.
const env = { ...process.env };
const STORE = "skillgate.";
// The thread that scans holds nothing of a file, and starting one takes a while.
const KEPT = Symbol.for(`${STORE}scan`);

// Registered first, so it runs after everything that a file does at its own end.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  for (const key of Object.getOwnPropertySymbols(globalThis)) {
    if (key !== KEPT && Symbol.keyFor(key)?.startsWith(STORE)) Reflect.deleteProperty(globalThis, key);
  }
  if (typeof document === "undefined") return;
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});
