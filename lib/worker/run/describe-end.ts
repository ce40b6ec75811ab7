import { isUtf8 } from "node:buffer";
import type { Redactor } from "@/lib/core/redact/create-redactor";
import type { ScriptOutput } from "@/lib/skill-format/entry/script-entry";
import { storableText } from "@/lib/skill-format/json-values";
import type { Outcome } from "@/lib/worker/protocol";

import type { EntryEnd } from "./run-entry";

const MAX_DEPTH = 64;

type ParsedOutput = { ok: true; value: unknown } | { ok: false; message: string };

const HALF_BYTES = 32_000;

/**
 * The outcome of an entry that was started. The first cause wins: a stop from outside, then a signal, the exit code, and
 * last its output. Every failed run keeps at most 64 KiB of stdout for people.
 */
export function describeEnd(end: EntryEnd, redactor: Redactor | null = null, output: ScriptOutput = "json"): Outcome {
  // Redacted before cutting, so that no part of a credential is left at the cut.
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

function textResult(stdout: Buffer, redactor: Redactor | null): Pick<Outcome, "result" | "error"> {
  if (!isUtf8(stdout)) return fail("invalid_output", "stdout is not valid UTF-8.");
  const text = stdout.toString("utf8").replace(/\r?\n$/, "");
  return { result: redactor ? redactor.value(text) : text, error: null };
}

/** The message quotes the output, so it is made from the redacted output. */
function explainShown(shown: Buffer): string {
  const output = parseOutput(shown);
  return output.ok ? "stdout is not valid JSON; exactly one JSON value is expected." : output.message;
}

function fail(code: NonNullable<Outcome["error"]>["code"], what: string, stderrTail = ""): { error: Outcome["error"] } {
  return { error: { code, message: limitMessage(what, stderrTail) } };
}

function excerptBytes(bytes: Buffer): string {
  const leftOut = bytes.length - 2 * HALF_BYTES;
  if (leftOut <= 0) return decode(bytes);
  return `${decode(bytes.subarray(0, HALF_BYTES))}\n… ${leftOut} bytes left out …\n${decode(bytes.subarray(-HALF_BYTES))}`;
}

function decode(bytes: Buffer): string {
  return storableText(bytes.toString("utf8"));
}

/** Parses stdout as exactly one JSON value, UTF-8, at most 64 levels deep; otherwise says what is wrong. */
export function parseOutput(bytes: Buffer): ParsedOutput {
  if (!isUtf8(bytes)) return refuse("is not valid UTF-8");
  const text = bytes.toString("utf8");
  if (/^[ \t\r\n]*$/.test(text)) return refuse("is empty");
  if (text.startsWith("\ufeff")) return refuse("starts with a byte order mark");
  const value = parseJson(text);
  if (value === undefined) return refuse(explain(text));
  return findExcess(value) ?? { ok: true, value };
}

function refuse(problem: string): { ok: false; message: string } {
  return { ok: false, message: `stdout ${problem}; exactly one JSON value is expected.` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function explain(text: string): string {
  const end = findJsonEnd(text);
  const isFirstValid = end !== null && parseJson(text.slice(0, end)) !== undefined;
  if (isFirstValid) {
    const rest = text.slice(end).trim();
    const next = findJsonEnd(rest);
    return next !== null && parseJson(rest.slice(0, next)) !== undefined
      ? "holds more than one JSON value"
      : `has text after its JSON value (${quote(rest)})`;
  }
  const outsideStrings = text.slice(0, 65_536).replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
  const constant = /\b(?:NaN|Infinity)\b/.exec(outsideStrings)?.[0];
  if (constant) return `is not JSON: ${constant} is no JSON value`;
  return end === null ? `is not JSON: it is cut off (${quote(text)})` : `is not JSON (${quote(text.trimStart())})`;
}

function quote(text: string): string {
  const start = text.slice(0, 60);
  return `it begins with ${JSON.stringify(start)}${text.length > start.length ? "…" : ""}`;
}

function findExcess(value: unknown): { ok: false; message: string } | null {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (typeof next.value === "number" && !Number.isFinite(next.value)) {
      return refuse("holds a number beyond the range of a double (about 1.8e308)");
    }
    if (next.value === null || typeof next.value !== "object") continue;
    if (next.depth > MAX_DEPTH) return refuse(`is nested deeper than ${MAX_DEPTH} levels`);
    for (const inner of Object.values(next.value)) waiting.push({ value: inner, depth: next.depth + 1 });
  }
  return null;
}

/** Where the JSON value at the start ends, by brackets and quotes only; null when one stays open. */
function findJsonEnd(text: string): number | null {
  const start = text.search(/[^ \t\r\n]/);
  if (start === -1) return null;
  const first = text.charAt(start);
  if (first === '"') return skipString(text, start);
  if (first === "{" || first === "[") return skipNested(text, start);
  const length = text.slice(start).search(/[\s,{}[\]"]/);
  return length === -1 ? text.length : start + Math.max(1, length);
}

function skipNested(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = skipString(text, at);
      if (end === null) return null;
      at = end - 1;
    } else if (char === "{" || char === "[") depth += 1;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return null;
}

function skipString(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === '"') return at + 1;
  }
  return null;
}

const MAX_MESSAGE = 4000;

/** An error message that fits into an outcome: `what (stderr: tail)`, where the tail loses its beginning first. */
export function limitMessage(what: string, stderrTail = ""): string {
  const text = storableText(what.slice(0, MAX_MESSAGE));
  const left = MAX_MESSAGE - text.length - " (stderr: …)".length;
  if (stderrTail === "" || left <= 0) return text;
  const tail = storableText(stderrTail);
  return `${text} (stderr: ${tail.length > left ? `…${keepEnd(tail, left)}` : tail})`;
}

function keepEnd(text: string, length: number): string {
  const end = text.slice(-length);
  return /^[\udc00-\udfff]/.test(end) ? end.slice(1) : end;
}
