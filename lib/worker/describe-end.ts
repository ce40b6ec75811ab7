import { isUtf8 } from "node:buffer";
import type { Redactor } from "@/lib/core/redact/create-redactor";
import type { ScriptOutput } from "@/lib/skill-format/script-entry";
import { storableText } from "@/lib/skill-format/storable-text";
import { limitMessage } from "./limit-message";
import { parseOutput } from "./parse-output";
import type { Outcome } from "./protocol";
import type { EntryEnd } from "./run-entry";

const HALF_BYTES = 32_000;

/**
 * The complete record of an entry that was started. What ended it comes first: a stop from outside, then a signal, the
 * exit code, and last what it wrote. Of every failed run stdout is kept (at most 64 KiB) for the person who looks at it.
 */
export function describeEnd(end: EntryEnd, redactor: Redactor | null = null, output: ScriptOutput = "json"): Outcome {
  // Before anything is cut, so that no part of a credential is left at the cut.
  const stdout = redactor ? redactor.bytes(end.stdout, end.truncated) : end.stdout;
  const verdict = judge(end, stdout, redactor, output);
  return {
    ...verdict,
    exitCode: end.exitCode,
    signal: end.signal,
    timedOut: end.stopReason?.code === "timed_out",
    truncated: end.truncated,
    startedAt: end.startedAt.toISOString(),
    finishedAt: new Date(end.startedAt.getTime() + end.durationMs).toISOString(),
    durationMs: end.durationMs,
    sandboxMs: roundMs(end.sandboxMs),
    warm: end.warm,
    cpuMs: end.use.cpuMs === null ? null : roundMs(end.use.cpuMs),
    peakMemoryBytes: end.use.peakMemoryBytes,
    rawOutput: verdict.error !== null && stdout.length > 0 ? excerptBytes(stdout) : null,
  };
}

const roundMs = (ms: number) => Math.round(ms * 100) / 100;

function judge(
  end: EntryEnd,
  shown: Buffer,
  redactor: Redactor | null,
  kind: ScriptOutput,
): Pick<Outcome, "result" | "error"> {
  if (end.stopReason) return fail(end.stopReason.code, end.stopReason.message);
  if (end.signal) return fail("signalled", `killed by ${end.signal}`, end.stderrTail);
  if (end.exitCode !== 0) return fail("exit_nonzero", `exit ${end.exitCode}`, end.stderrTail);
  if (kind === "text") return textResult(end.stdout, redactor);
  const output = parseOutput(end.stdout);
  if (output.ok) return { result: redactor ? redactor.value(output.value) : output.value, error: null };
  return fail("invalid_output", redactor ? explainShown(shown) : output.message);
}

/** All it printed, without the last line end. */
function textResult(stdout: Buffer, redactor: Redactor | null): Pick<Outcome, "result" | "error"> {
  if (!isUtf8(stdout)) return fail("invalid_output", "stdout is not valid UTF-8.");
  const text = stdout.toString("utf8").replace(/\r?\n$/, "");
  return { result: redactor ? redactor.value(text) : text, error: null };
}

/** The message quotes what was printed: it is made from what may be shown. */
function explainShown(shown: Buffer): string {
  const output = parseOutput(shown);
  return output.ok ? "stdout is not valid JSON; exactly one JSON value is expected." : output.message;
}

function fail(code: NonNullable<Outcome["error"]>["code"], what: string, stderrTail = ""): { error: Outcome["error"] } {
  return { error: { code, message: limitMessage(what, stderrTail) } };
}

/** Bytes as text for a person: all of it, or head and tail (64 KiB together) around a note of what is left out. */
function excerptBytes(bytes: Buffer): string {
  const leftOut = bytes.length - 2 * HALF_BYTES;
  if (leftOut <= 0) return decode(bytes);
  return `${decode(bytes.subarray(0, HALF_BYTES))}\n… ${leftOut} bytes left out …\n${decode(bytes.subarray(-HALF_BYTES))}`;
}

function decode(bytes: Buffer): string {
  return storableText(bytes.toString("utf8"));
}
