import type { Format } from "ajv";
import { fullFormats } from "ajv-formats/dist/formats";
import { compilePattern } from "./compile-pattern";
import { spendPatternWork } from "./validation-work";

const MAX_FORMAT_CHARS = 2_048;
// Long by nature, and checked in one pass.
const UNGUARDED = new Set(["byte", "password", "binary"]);

/**
 * The formats of ajv-formats for texts of at most 2,048 characters: some of its patterns backtrack. `url` is read by the
 * URL parser and `regex` by RE2.
 */
export function guardedFormats(): Record<string, Format> {
  const guarded = Object.entries(fullFormats).map(([name, format]) => [
    name,
    UNGUARDED.has(name) ? format : guard(format),
  ]);
  return { ...Object.fromEntries(guarded), url: limited((text) => URL.canParse(text)), regex: limited(isPattern) };
}

function guard(format: Format): Format {
  if (format instanceof RegExp) return limited((text) => format.test(text));
  if (typeof format === "function") return limited(format);
  if (typeof format !== "object" || format.type === "number" || format.async === true) return format;
  const { validate } = format;
  if (validate instanceof RegExp) return limited((text) => validate.test(text));
  return typeof validate === "function" ? limited(validate as (text: string) => boolean) : format;
}

function limited(isValid: (text: string) => boolean): (text: string) => boolean {
  return (text) => {
    spendPatternWork(Math.min(text.length, MAX_FORMAT_CHARS), 64);
    return text.length <= MAX_FORMAT_CHARS && isValid(text);
  };
}

function isPattern(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch {
    // Compiling is the only way to ask.
    return false;
  }
}
