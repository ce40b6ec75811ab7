import { stoppingSignal } from "./stopping-signal";

/**
 * Does what may wait for long under a signal that is aborted when the caller hangs up and when the process begins to stop.
 * Not `AbortSignal.any`: the process's own signal would keep a note of each request for as long as the process lives.
 */
export async function untilStopping<T>(caller: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ends = [caller, stoppingSignal()];
  const controller = new AbortController();
  const end = () => controller.abort();
  if (ends.some(({ aborted }) => aborted)) end();
  for (const signal of ends) signal.addEventListener("abort", end);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of ends) signal.removeEventListener("abort", end);
  }
}
