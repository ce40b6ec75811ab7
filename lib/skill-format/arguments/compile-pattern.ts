import { RE2JS } from "re2js";
import { MAX_PATTERN_CHARS } from "@/lib/skill-format/archive/limits";

export type CompiledPattern = { test(text: string): boolean; instructions: number };

/**
 * A JavaScript pattern compiled by RE2, whose matching time is linear in the text. Throws an Error that says why for what
 * RE2 lacks (lookaround, back references), for syntax errors, and for more than 1,000 characters.
 */
export function compilePattern(source: string): CompiledPattern {
  if (source.length > MAX_PATTERN_CHARS) throw new Error(`it is longer than ${MAX_PATTERN_CHARS} characters`);
  const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
  return { test: (text) => pattern.matcher(text).find(), instructions: pattern.programSize() };
}

/**
 * About how many instructions a pattern compiles to, found without compiling: counted repeats (`{n,m}`) copy what they
 * repeat, which a short pattern can do many thousand times.
 */
export function estimateInstructions(source: string): number {
  const groups: number[] = [];
  let size = 0;
  let atom = 0;
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at);
    const [, low = "0", high] = /^\{(\d{1,6})(?:,(\d{0,6}))?\}/.exec(rest) ?? [];
    const token = TOKEN.exec(rest)?.[0] ?? rest.slice(0, 1);
    if (token === "(") {
      groups.push(size);
      size = 0;
      atom = 0;
    } else if (token === ")") {
      atom = size + 2;
      size = (groups.pop() ?? 0) + atom;
    } else if (token.startsWith("{") && token.length > 1) {
      const added = atom * (Math.max(Number(low), Number(high ?? 0)) - 1);
      size += Math.max(0, added);
      atom += Math.max(0, added);
    } else {
      atom = 1;
      size += 1;
    }
    at += token.length;
  }
  return groups.reduce((sum, before) => sum + before, size);
}

const TOKEN = /^(?:\\[pPx]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{\d{1,6}(?:,\d{0,6})?\}|.)/s;
