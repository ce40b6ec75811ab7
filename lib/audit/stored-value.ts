import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson } from "@/lib/core/json";

/** The longest value an event holds itself, in characters of JSON. */
const MAX_LENGTH = 4096;
const MAX_DEPTH = 40;
/** Names of fields that hold a secret wherever they stand. */
const SECRET_NAME =
  /^(pass(word|phrase|wd)|(client|shared)?[_-]?secret|api[_-]?key|(access|refresh|id|bearer|auth)[_-]?token|authorization|cookie|private[_-]?key|credentials?)$/i;
export const REDACTED = "••••";

/**
 * What somebody handed in or got out, as JSON for an event: fields named like a secret without their value, and what is
 * longer than 4 KiB as its SHA-256 (of canonical JSON) and length. Null when there is none.
 */
export function storedValue(value: unknown): string | null {
  return value === undefined ? null : bounded(withoutSecrets(value, 0));
}

/** What a verb tells besides: each of its values that is too long becomes digest and length, the others stay. */
export function storedData(data: Record<string, unknown> | undefined): string {
  const text = JSON.stringify(data ?? {});
  if (text.length <= MAX_LENGTH || data === undefined) return text;
  const parts = Object.entries(data).flatMap(([name, value]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${bounded(value)}`],
  );
  return `{${parts.join(",")}}`;
}

function bounded(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  if (text.length <= MAX_LENGTH) return text;
  return JSON.stringify({ omitted: { sha256: sha256Hex(canonicalJson(value)), length: text.length } });
}

function withoutSecrets(value: unknown, depth: number): unknown {
  if (value === null || typeof value !== "object") return value;
  if (depth > MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((inner) => withoutSecrets(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAME.test(name) && inner !== null && inner !== "" ? REDACTED : withoutSecrets(inner, depth + 1),
    ]),
  );
}
