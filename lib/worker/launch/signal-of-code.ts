import { constants } from "node:os";

/** The signal that an exit code stands for where a shell or bubblewrap reports one, as 128 and its number; null for others. */
export function signalOfCode(code: number | null): NodeJS.Signals | null {
  if (code === null || code <= 128) return null;
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return found ? (found[0] as NodeJS.Signals) : null;
}
