import { watch } from "node:fs";

/** Of several changes in a row only the last is told, after this pause. */
const SETTLE_MS = 300;

/**
 * Calls `onChange` when something below one of the directories changes, until the signal is aborted. Where a directory is
 * missing or cannot be watched nothing is told: whoever watches looks by itself now and then.
 */
export function watchDirs(dirs: string[], onChange: () => void, signal: AbortSignal): void {
  let timer: NodeJS.Timeout | null = null;
  const settle = () => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
    timer.unref();
  };
  for (const dir of dirs) {
    try {
      const watcher = watch(dir, { recursive: true, persistent: false }, settle);
      watcher.on("error", () => watcher.close());
      signal.addEventListener("abort", () => watcher.close(), { once: true });
    } catch {
      // Looked at now and then.
    }
  }
}
