import { setFlagsFromString } from "node:v8";

/**
 * What V8 is told for as long as this process lives, as soon as this module is imported: a little more garbage collection
 * for a small process. Node starts a run by fork(2), whose cost grows by 1 ms of processor time with each 30 MiB that the
 * process has written to. Told from inside, so that it holds however the worker is started, and because a V8 that lacks
 * one of these complains on stderr and goes on.
 */
const HEAP_FLAGS = [
  // The nursery keeps the 1 MiB it starts with (in two halves) instead of growing to 16.
  "--semi-space-growth-factor=1",
  // The rest is collected when it has grown by a fifth, or by 8 MiB, and not only at a multiple of what is in use.
  "--heap-growing-percent=20",
  // For so small a nursery, waking other threads costs more than they save.
  "--no-parallel-scavenge",
];

for (const flag of HEAP_FLAGS) setFlagsFromString(flag);
