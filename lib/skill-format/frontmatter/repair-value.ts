import { isFailure } from "./parse-yaml-block";
import { readFlow } from "./read-flow";
import type { ParseYaml } from "./repair-budget";

/** Whether a value on one line can be read as YAML when it stands alone. */
export function isReadableValue(value: string, parse: ParseYaml): boolean {
  return !isFailure(parse(`value: ${value}`));
}

/**
 * YAML on one line for a value that is not YAML: JSON with the brackets it lacks, else a text in quotes. Block indicators
 * with text behind them (`| Text`) go, and so do quotes around the whole.
 */
export function repairValue(value: string, parse: ParseYaml): string {
  const flow = readFlow(value, parse);
  return JSON.stringify(flow === undefined ? plainTextOf(value) : flow.value);
}

/** The text that somebody meant who wrote it in quotes that are not closed, not escaped or have an unknown escape. */
export function plainTextOf(value: string): string {
  const written = value.trim().replace(/^[|>][+-]?[0-9]?[ \t]+(?=\S)/, "");
  // A comma behind a text in quotes is left over from JSON.
  const text = /^(["']).*\1,$/s.test(written) ? written.slice(0, -1) : written;
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return text;
  const inner = text.slice(1);
  if (!inner.endsWith(quote)) {
    const [quoted = "", rest, ...more] = inner.split(quote);
    if (rest === undefined) return inner;
    // The quote was closed too early when most of the text is inside; else it encloses a word of the text.
    return more.length === 0 && quoted.length > rest.length * 2 ? `${quoted.trimEnd()} ${rest.trimStart()}` : text;
  }
  const content = inner.slice(0, -1);
  return quote === "'" ? content.replaceAll("''", "'") : content.replace(/\\(["'\\])/g, "$1");
}
