import { z } from "zod";
import type { FieldError } from "./errors";

type Issue = Parameters<NonNullable<z.core.$ZodConfig["customError"]>>[0];

// Replaces the validator's own messages in this process or page, for every schema without a message of its own.
z.config({ customError: phraseOf });

/** The first 50 problems of a parsed value as sentences that name the field; `whole` names the value itself, e.g. "The body". */
export function fieldErrors({ issues }: z.core.$ZodError, whole: string): FieldError[] {
  return issues.slice(0, MAX_ERRORS).map(({ path, message }) => {
    const dotted = path.join(".");
    return { path: dotted, message: fieldSentence({ path: dotted, message }, whole) };
  });
}

const MAX_ERRORS = 50;
const PREDICATE = /^(?:must|is|are|has|have|needs|may|can|cannot|does|goes)\b/;

/** `{ path: "files.0.path", message: "is required" }` → "Files, row 1, path is required." A message with a capital stays. */
export function fieldSentence({ path, message }: FieldError, whole: string): string {
  if (/^\p{Lu}/u.test(message)) return message;
  const label = path === "" ? whole : fieldLabel(path);
  return `${label}${PREDICATE.test(message) ? "" : ":"} ${message.replace(/\.$/, "")}.`;
}

/** Fields whose label in the interface is not their key. Maps, because callers name fields such as `constructor`. */
const LABELS = new Map(
  Object.entries({
    allow: "skills it may run",
    deny: "skills it may never run",
    args: "arguments",
    baseUrl: "address",
    bio: "about",
    body: "instructions",
    catchUp: "catch-up",
    code_challenge: "code challenge",
    cron: "cron expression",
    current: "current password",
    endpointId: "model endpoint",
    env: "environment variables",
    expect: "expected columns",
    expiresAt: "expiry",
    from: "start of the range",
    to: "end of the range",
    intervalMinutes: "sync interval (minutes)",
    ids: "runs",
    keyId: "key",
    personaId: "persona",
    q: "search text",
    ref: "branch, tag or commit",
    replacedBy: "replacement",
    repoUrl: "repository",
    sha256: "SHA-256",
    skillId: "skill",
    skillIds: "skills",
    sop: "procedure",
    timeZone: "time zone",
    userId: "person",
    workerId: "worker",
  }),
);
const ACRONYMS = new Map(Object.entries({ id: "ID", url: "URL", uri: "URI", pid: "PID", toml: "TOML" }));
const UNITS = new Map(Object.entries({ ms: "ms", seconds: "seconds", minutes: "minutes", mi: "MiB", bytes: "bytes" }));

/** Names the field of a dotted path as people know it: `grants.paths.0.mode` → "Grants, paths, row 1, mode". */
export function fieldLabel(path: string): string {
  const label = path
    .split(".")
    .map((part) => (/^\d+$/.test(part) ? `row ${Number(part) + 1}` : (LABELS.get(part) ?? wordsOf(part))))
    .join(", ");
  return label.slice(0, 1).toUpperCase() + label.slice(1);
}

/** `maxTimeoutSeconds` → "max timeout (seconds)". Names that people gave, such as `SKILL.md`, stay. */
function wordsOf(key: string): string {
  if (!/^[a-z][A-Za-z0-9_]*$/.test(key)) return `“${key}”`;
  const words = key
    .replace(/MiB/g, " mi ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
    .trim()
    .split(/ +/);
  const unit = words.length > 1 ? UNITS.get(words.at(-1) ?? "") : undefined;
  const named = (unit ? words.slice(0, -1) : words).map((word) => ACRONYMS.get(word) ?? (word === "mi" ? "MiB" : word));
  return `${named.join(" ")}${unit ? ` (${unit})` : ""}`;
}

/** What is wrong, as the rest of a sentence that begins with the field. */
function phraseOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${TYPES[issue.expected] ?? "of another type"}`;
    case "too_small":
      return sizePhrase(
        issue,
        Number(issue.minimum),
        issue.exact ? "exactly" : issue.inclusive ? "at least" : "more than",
      );
    case "too_big":
      return sizePhrase(
        issue,
        Number(issue.maximum),
        issue.exact ? "exactly" : issue.inclusive ? "at most" : "less than",
      );
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return formatPhrase(issue);
    case "invalid_value":
      return issue.input === undefined ? "is required" : listPhrase(issue.values);
    case "unrecognized_keys":
      return `has fields that are not known: ${issue.keys.map(wordsOf).join(", ").slice(0, MAX_LISTED)}`;
    case "invalid_union":
      return unionPhrase(issue);
    case "invalid_key":
      return `has an invalid name: it ${issue.issues[0]?.message ?? "is not valid"}`;
    case "invalid_element":
      return `has an invalid entry: it ${issue.issues[0]?.message ?? "is not valid"}`;
    default:
      return "is not valid";
  }
}

const MAX_LISTED = 200;
const TYPES: Record<string, string> = {
  array: "a list",
  bigint: "a whole number",
  boolean: "true or false",
  date: "a date",
  file: "a file",
  int: "a whole number",
  map: "an object",
  nan: "no number",
  never: "left out",
  null: "null",
  number: "a number",
  nonoptional: "set",
  object: "an object",
  record: "an object",
  set: "a list",
  string: "text",
  tuple: "a list",
  undefined: "left out",
};
const PARTS: Record<string, [one: string, many: string]> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
  set: ["entry", "entries"],
  map: ["entry", "entries"],
  record: ["entry", "entries"],
  file: ["byte", "bytes"],
};

function sizePhrase({ origin }: { origin: string }, limit: number, bound: string): string {
  const parts = PARTS[origin];
  if (origin === "date")
    return `must be ${bound === "at least" ? "no earlier" : "no later"} than ${new Date(limit).toISOString()}`;
  if (Math.abs(limit) === Number.MAX_SAFE_INTEGER) return limit > 0 ? "is too large" : "is too small";
  if (parts === undefined) return `must be ${bound} ${limit}`;
  if (bound === "at least" && limit === 1) return "must not be empty";
  return `must have ${bound} ${limit} ${parts[limit === 1 ? 0 : 1]}`;
}

const FORMATS: Record<string, string> = {
  base64: "must be base64",
  base64url: "must be base64url",
  cidrv4: "must be a range of IPv4 addresses, e.g. 10.0.0.0/8",
  cidrv6: "must be a range of IPv6 addresses, e.g. fd00::/8",
  date: "must be a date, e.g. 2026-11-23",
  datetime: "must be a time in UTC, e.g. 2026-11-23T14:00:00Z",
  duration: "must be a duration, e.g. PT15M",
  e164: "must be a phone number, e.g. +4930123456",
  email: "must be an email address",
  ipv4: "must be an IPv4 address",
  ipv6: "must be an IPv6 address",
  json_string: "must be JSON",
  jwt: "must be a JSON Web Token",
  lowercase: "must be in lower case",
  regex: "has characters or a form that are not allowed",
  time: "must be a time, e.g. 14:00:00",
  uppercase: "must be in upper case",
  url: "must be a URL, e.g. https://example.org",
};

function formatPhrase({ format, ...issue }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>): string {
  if (format === "starts_with" && "prefix" in issue) return `must start with “${issue.prefix}”`;
  if (format === "ends_with" && "suffix" in issue) return `must end with “${issue.suffix}”`;
  if (format === "includes" && "includes" in issue) return `must contain “${issue.includes}”`;
  return FORMATS[format] ?? (/^(?:g|u|k)?uuid|id$/i.test(format) ? "must be an ID" : "has the wrong form");
}

function listPhrase(values: readonly unknown[]): string {
  const listed = values.map(String).join(", ");
  if (values.length === 1) return `must be ${listed === "" ? "empty" : listed}`;
  return `must be one of: ${listed.length > MAX_LISTED ? `${listed.slice(0, MAX_LISTED)}…` : listed}`;
}

function unionPhrase({ errors, ...issue }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (issue.input === undefined) return "is required";
  if ("options" in issue && Array.isArray(issue.options)) return listPhrase(issue.options);
  const inside = errors?.flat().find(({ path }) => path.length > 0);
  if (inside) return `is invalid: ${fieldLabel(inside.path.join("."))} ${inside.message}`;
  const phrases = [...new Set(errors?.map(([first]) => first?.message ?? "is not valid"))];
  return phrases.length === 0 ? "is not valid" : phrases.join(", or ");
}
