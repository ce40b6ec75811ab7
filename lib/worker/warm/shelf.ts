import type { Starter } from "../starters/open-starter";
import type { Demand } from "./create-demand";
import type { Waiting } from "./start-waiting";
import type { Pack } from "./warm-key";

const MIB = 1024 ** 2;
/** What a process is taken to hold until it is measured. */
const ESTIMATE = { program: 4 * MIB, python: 16 * MIB, node: 64 * MIB };

/** With the user id that it has of its own, or the starter whose it has. */
export type Held = { process: Waiting; uid: number | null; starter: Starter | null };

/** What waits for the runs of one pack. */
export type Shelf = {
  pack: Pack;
  skillDir: string;
  waiting: Held[];
  /** Processes on their way to waiting. */
  starting: number;
  demand: Demand;
  /** When a run of it last began or ended. */
  usedMs: number;
  /** What one process holds, which has run nothing of the skill, so that all hold the same; null until it is measured. */
  bytes: number | null;
  kind: Waiting["kind"] | null;
};

/** How many wait, or are on their way to it. */
export function countOf({ waiting, starting }: Shelf): number {
  return waiting.length + starting;
}

/** What each of its processes holds, in bytes. */
export function bytesOf({ bytes, kind }: Shelf): number {
  return bytes ?? ESTIMATE[kind ?? "program"];
}
