/** Milliseconds that work may go on before other work of the process gets its turn. */
const MAX_MS = 25;
// Captured here, since tests replace timers.
const soon = setImmediate;

const waiting: (() => void)[] = [];
let startedMs: number | null = null;

/**
 * Statements of SQLite are synchronous, and promises that are already resolved never return to the event loop: without this
 * a verb with thousands of statements would stop the process. Returns null to go on at once, or what to await first, when
 * 25 ms of this turn are used. Those that wait go on first, in order, in the next turns; `ahead` before the others, for what
 * others wait for, such as the open transaction.
 */
export function loopTurn(ahead = false): Promise<void> | null {
  if (startedMs === null) startTurn();
  else if (isUsedUp(startedMs)) {
    return new Promise((resolve) => {
      if (ahead) waiting.unshift(resolve);
      else waiting.push(resolve);
      soon(resumeOne);
    });
  }
  return null;
}

function isUsedUp(sinceMs: number): boolean {
  return performance.now() - sinceMs >= MAX_MS;
}

function startTurn(): void {
  startedMs = performance.now();
  soon(endTurn);
}

function endTurn(): void {
  startedMs = null;
}

/** Called once for each that waits, each time after all work of the one before. */
function resumeOne(): void {
  if (startedMs !== null && isUsedUp(startedMs)) {
    soon(resumeOne);
    return;
  }
  if (startedMs === null) startTurn();
  waiting.shift()?.();
}
