const ENDINGS = Symbol.for("skillgate-tests.endings");

type Ending = () => void | Promise<void>;

/** Callbacks for the end of the current test file. */
export function endings(): Ending[] {
  const store = globalThis as { [ENDINGS]?: Ending[] };
  store[ENDINGS] ??= [];
  return store[ENDINGS];
}

/**
 * Registers a callback for the end of the current test file. Test files share a process, so an `afterAll` in a shared
 * helper would run only for the first file.
 */
export function atFileEnd(ending: Ending): void {
  endings().push(ending);
}
