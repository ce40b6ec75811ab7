declare global {
  // `StartScript` sets it, on pages with data.
  var __earlyAnswers: Record<string, Promise<Response | null>> | undefined;
}

/** A page that loads longer than this asks again: the answer may be out of date. */
const MAX_AGE_MS = 30_000;

/**
 * The answer to a GET that started before the scripts of the page were loaded (`components/shell/early-requests.ts`), once;
 * null when the server could not be reached.
 */
export function takeEarlyAnswer(path: string): Promise<Response | null> | undefined {
  const answer = globalThis.__earlyAnswers?.[path];
  if (answer) delete globalThis.__earlyAnswers?.[path];
  return performance.now() < MAX_AGE_MS ? answer : undefined;
}
