import { RE2JS } from "re2js";

const compiled = new Map<string, RE2JS>();

/** A rule's pattern, compiled once for each thread: any letter case, `^` and `$` at lines. */
export function compileRulePattern(re: string): RE2JS {
  let pattern = compiled.get(re);
  if (pattern === undefined) {
    pattern = RE2JS.compile(`(?im)${re}`);
    compiled.set(re, pattern);
  }
  return pattern;
}
