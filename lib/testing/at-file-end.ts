const ENDINGS = Symbol.for("skillgate-tests.endings");

type Ending = () => void | Promise<void>;

/** Callbacks for the end of the current test file. */
export function endings(): Ending[] {
  const store = globalThis as { [ENDINGS]?: Ending[] };
  store[ENDINGS] ??= [];
  return store[ENDINGS];
}

/** An `afterAll` in a shared helper would run only for the first file of the process; this runs for each. */
export function atFileEnd(ending: Ending): void {
  endings().push(ending);
}
