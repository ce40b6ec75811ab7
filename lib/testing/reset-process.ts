import { afterAll, vi } from "vitest";

// Test files share a process, so each file's changes are undone before the next.
const env = { ...process.env };
const STORE = "skillgate.";
// The scanner thread has no state of a file and starts slowly.
const KEPT = Symbol.for(`${STORE}scan`);

// Registered first, so it runs last at the end of a file.
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
