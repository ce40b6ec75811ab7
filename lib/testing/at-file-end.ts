const ENDINGS = Symbol.for("skillgate-tests.endings");

type Ending = () => void | Promise<void>;

/** What is still to be done at the end of the test file that runs now. */
export function endings(): Ending[] {
  const store = globalThis as { [ENDINGS]?: Ending[] };
  store[ENDINGS] ??= [];
  return store[ENDINGS];
}

/**
 * Does something when this test file is over. A helper that several files share is loaded once for all that run in one
 * process, and an `afterAll` of its own would be the first file's alone.
 */
export function atFileEnd(ending: Ending): void {
  endings().push(ending);
}
