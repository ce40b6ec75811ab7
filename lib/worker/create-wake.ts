export type Wake = { notify(): void; wait(maxMs: number): Promise<void> };

/** Lets one loop sleep until another part has something for it. A notification before the wait is not lost. */
export function createWake(): Wake {
  let isNotified = false;
  let wakeUp: (() => void) | null = null;
  return {
    notify() {
      isNotified = true;
      wakeUp?.();
    },
    async wait(maxMs) {
      if (!isNotified) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, maxMs);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wakeUp = null;
      }
      isNotified = false;
    },
  };
}
