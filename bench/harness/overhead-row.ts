import type { Pack } from "./bench-packs";
import type { Figures } from "./measure";
import type { Way } from "./overhead-ways";

export type WayFigures = Figures & {
  /** CPU time of the server and of the worker for each run, in ms, without the run itself. */
  webCpuMs?: number;
  workerCpuMs?: number;
  /** Of all runs, those that found a process waiting. */
  warmShare?: number;
};

/** All ways with one pack at one concurrency; a way without figures says why. */
export type Row = { pack: Pack["name"]; concurrency: number; ways: Record<Way, WayFigures | { missing: string }> };
