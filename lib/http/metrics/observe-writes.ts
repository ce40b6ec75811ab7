import { measures } from "@/lib/core/measures";
import type { Database } from "@/lib/db/database";

/** Counts the transactions of a database from now on: how many wait, how long they take, and how many share a commit. */
export function observeWrites({ writes }: Pick<Database, "writes">): void {
  const enter = writes.enter.bind(writes);
  let together = 0;
  const settled = () => {
    // All who share a commit are answered in one go, before anything that is put off to the end of it.
    if (together === 0) {
      queueMicrotask(() => {
        measures().commitSize.observe(together);
        together = 0;
      });
    }
    together += 1;
  };
  writes.enter = (work, options) => {
    const { writesWaiting, writeSeconds } = measures();
    const clock = performance.now();
    writesWaiting.inc();
    const done = enter(work, options);
    const end = () => {
      writesWaiting.dec();
      writeSeconds.observe({ kind: options.quick ? "quick" : "alone" }, (performance.now() - clock) / 1000);
      settled();
    };
    done.then(end, end);
    return done;
  };
}
