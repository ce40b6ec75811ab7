import type { OutputUnit } from "@cfworker/json-schema";
import type { ApiFieldError } from "@/lib/client/api";

/** Converts an error of the checker to the server's format: a dotted path and a message. */
export function describeUnit(unit: OutputUnit): ApiFieldError {
  const at = segmentsOf(unit.instanceLocation);
  const named = namedProperty(unit);
  return { path: (named === null ? at : [...at, named]).join("."), message: messageOf(unit) };
}

/** `#/a~1b/0` → ["a/b", "0"] */
function segmentsOf(location: string): string[] {
  return location
    .split("/")
    .slice(1)
    .map((part) => decode(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A property name with a bare percent sign.
  }
}

function namedProperty({ keyword, error }: OutputUnit): string | null {
  if (keyword === "required") return /property "(.*)"\.$/s.exec(error)?.[1] ?? null;
  if (keyword === "dependentRequired") return /does not have "(.*)"\.$/s.exec(error)?.[1] ?? null;
  return null;
}

const typeLabels: Record<string, string> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

function messageOf({ keyword, error }: OutputUnit): string {
  const limit = /[<>] (\d+)\)\.$/.exec(error)?.[1];
  const bound = /(-?[\d.e+-]+)\.$/.exec(error)?.[1];
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return "enter a value";
    case "forbidden":
      return "unknown argument";
    case "type":
      return `must be ${expectedTypes(error)}`;
    case "enum":
      return `choose one of: ${cut(valuesIn(error.slice("Instance does not match any of ".length, -1)))}`;
    case "const":
      return `must be ${cut(valuesIn(error.slice("Instance does not match ".length, -1)))}`;
    case "minLength":
      if (limit === "1") return "enter a value";
      return `must have at least ${limit} ${limit === "1" ? "character" : "characters"}`;
    case "maxLength":
      return `must have at most ${limit} characters`;
    case "minItems":
      if (limit === "1") return "add at least one item";
      return `must have at least ${limit} ${limit === "1" ? "item" : "items"}`;
    case "maxItems":
      return `must have at most ${limit} ${limit === "1" ? "item" : "items"}`;
    case "minimum":
      return `must be at least ${bound}`;
    case "maximum":
      return `must be at most ${bound}`;
    case "exclusiveMinimum":
      return `must be more than ${bound}`;
    case "exclusiveMaximum":
      return `must be less than ${bound}`;
    case "multipleOf":
      return `must be a multiple of ${bound}`;
    case "pattern":
      return "does not have the expected form";
    case "format":
      return `must be ${formatText(error)}`;
    case "uniqueItems":
      return "must not contain duplicates";
    case "ambiguous":
      return "matches none or several of the options; choose one";
    default:
      return "is not valid";
  }
}

function expectedTypes(error: string): string {
  const expected = /Expected (.*)\.$/s.exec(error)?.[1] ?? "";
  const types = [...expected.matchAll(/"(\w+)"/g)].map(([, type]) => typeLabels[type ?? ""] ?? type);
  return types.join(" or ") || "of another type";
}

function formatText(error: string): string {
  const format = /"(.*)"\.$/s.exec(error)?.[1] ?? "";
  const words: Record<string, string> = {
    email: "an email address",
    uri: "a web address with its scheme",
    date: "a date (YYYY-MM-DD)",
    time: "a time (hh:mm:ssZ)",
    "date-time": "a date and time with its zone",
    uuid: "a UUID",
    ipv4: "an IPv4 address",
    ipv6: "an IPv6 address",
    hostname: "a host name",
  };
  return words[format] ?? `of the format ${format}`;
}

/** Values of the checker's message, as JSON, for a sentence: `["a", 1]` → "a, 1". */
export function valuesIn(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    const values = Array.isArray(value) ? value : [value];
    return values.map((one) => (typeof one === "string" && one !== "" ? one : JSON.stringify(one))).join(", ");
  } catch {
    return json;
  }
}

function cut(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
