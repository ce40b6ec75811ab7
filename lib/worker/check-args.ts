import { validateArgs } from "@/lib/skill-format/validate-args";
import type { Lease } from "./protocol";
import { RunFailure } from "./run-failure";

const MAX_SHOWN = 5;

/** Throws RunFailure `invalid_args`, naming the first five problems, when the arguments do not fit the lease's schema. */
export function checkArgs({ schema, args }: Pick<Lease, "schema" | "args">): void {
  const problems = validateArgs(schema, args);
  if (problems.length === 0) return;
  const shown = problems.slice(0, MAX_SHOWN).map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const more = problems.length > MAX_SHOWN ? ` (and ${problems.length - MAX_SHOWN} more)` : "";
  throw new RunFailure("invalid_args", shown.join("; ") + more);
}
