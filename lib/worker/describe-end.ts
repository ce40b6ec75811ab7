import { excerptBytes } from "./excerpt-bytes";
import { limitMessage } from "./limit-message";
import { parseOutput } from "./parse-output";
import type { Outcome } from "./protocol";
import type { EntryEnd } from "./run-entry";

/**
 * The complete record of an entry that was started. What ended it comes first: a stop from outside, then a signal, the
 * exit code, and last what it wrote. Of every failed run stdout is kept (at most 64 KiB) for the person who looks at it.
 */
export function describeEnd(end: EntryEnd): Outcome {
  const verdict = judge(end);
  return {
    ...verdict,
    exitCode: end.exitCode,
    signal: end.signal,
    timedOut: end.stopReason?.code === "timed_out",
    truncated: end.truncated,
    startedAt: end.startedAt.toISOString(),
    finishedAt: new Date(end.startedAt.getTime() + end.durationMs).toISOString(),
    durationMs: end.durationMs,
    rawOutput: verdict.error !== null && end.stdout.length > 0 ? excerptBytes(end.stdout) : null,
  };
}

function judge(end: EntryEnd): Pick<Outcome, "result" | "error"> {
  if (end.stopReason) return fail(end.stopReason.code, end.stopReason.message);
  if (end.signal) return fail("signalled", `killed by ${end.signal}`, end.stderrTail);
  if (end.exitCode !== 0) return fail("exit_nonzero", `exit ${end.exitCode}`, end.stderrTail);
  const output = parseOutput(end.stdout);
  return output.ok ? { result: output.value, error: null } : fail("invalid_output", output.message);
}

function fail(code: NonNullable<Outcome["error"]>["code"], what: string, stderrTail = ""): { error: Outcome["error"] } {
  return { error: { code, message: limitMessage(what, stderrTail) } };
}
