import { MAX_VALIDATION_WORK } from "@/lib/skill-format/archive/limits";

/** Thrown when a validation is more work than is allowed. */
export class TooMuchWork extends Error {}

let workLeft = 0;

/**
 * Runs one synchronous validation with a fresh allowance of 500,000 units. Counting work, not time, gives the same answer
 * on every machine.
 */
export function withWorkLimit<T>(run: () => T): T {
  workLeft = MAX_VALIDATION_WORK;
  return run();
}

/** Counts one subschema of the given weight applied to one value. Throws TooMuchWork. */
export function spendWork(weight: number, data: unknown): void {
  spend(weight * (1 + widthOf(data)));
}

/** Counts one pattern run over a text. RE2 takes at worst its instructions times the length. Throws TooMuchWork. */
export function spendPatternWork(chars: number, instructions: number): void {
  spend(1 + chars * (1 / 4 + instructions / 64));
}

function spend(units: number): void {
  workLeft -= units;
  if (workLeft < 0) throw new TooMuchWork("The arguments take too much work to check.");
}

// Lengths are counted by character and objects are looped over by key.
function widthOf(data: unknown): number {
  if (typeof data === "string") return data.length / 256;
  return typeof data === "object" && data !== null && !Array.isArray(data) ? Object.keys(data).length / 16 : 0;
}
