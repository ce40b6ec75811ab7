import fc from "fast-check";
import type { Command } from "./draw-commands";
import { sequence } from "./draw-commands";
import type { Ledger } from "./ledger";
import { begin, end } from "./manage";
import { perform } from "./perform";
import { createPlay, type Play } from "./play";
import { pollWorkers } from "./poll-workers";
import { createStatistics, type Statistics } from "./statistics";
import type { World } from "./world";

export type Checked = {
  statistics: Statistics;
  /** Number of sequences before the first that broke the rules; null when none did. */
  brokenAfter: number | null;
  /** The shortest sequence that breaks the rules: its steps, and the problems of its runs. */
  log: string[];
  violations: string[];
};

type Options = {
  sequences: number;
  seed: number;
  /** Violations to ignore, to find others. */
  known?: RegExp | undefined;
};

/**
 * Plays drawn sequences against a server and judges every run that starts; stops at the first violation and shortens its
 * sequence.
 */
export async function checkSequences(world: World, { sequences, seed, known }: Options): Promise<Checked> {
  const statistics = createStatistics();
  let played = 0;
  let before: Ledger | null = null;
  let last: Play | null = null;
  const property = fc.asyncProperty(sequence, async ({ start, commands }) => {
    played += 1;
    const play = createPlay(world, { statistics, serial: played.toString(36), before });
    before = play.ledger;
    statistics.nextSequence();
    await begin(play, start);
    for (const command of commands as Command[]) await perform(play, command);
    await pollWorkers(play);
    await end(play);
    const violations = play.violations.filter((violation) => known?.test(violation) !== true);
    if (violations.length === 0) return;
    last = play;
    throw new Error(violations.join("\n"));
  });
  const details = await fc.check(property, { numRuns: sequences, seed });
  const found = last as Play | null;
  if (details.failed && found === null) throw details.errorInstance ?? new Error("the model itself failed");
  return {
    statistics,
    brokenAfter: details.failed ? details.numRuns : null,
    log: found?.log ?? [],
    violations: found?.violations ?? [],
  };
}
