import type { Pattern, Rule, Weigh } from "../scan/rule";
import type { Severity } from "../scan/schema";
import { isNegativeExample } from "./evidence";

/** `asBad`: severity of a match in a negative example; false drops it. */
type PatternRow = Pattern & { asBad?: Severity | false };

/** A rule as declared: version 1 by default. `asBad` applies to every pattern without its own. */
type RuleRow = Omit<Rule, "version" | "patterns"> & {
  version?: number;
  asBad?: Severity | false;
} & ({ patterns?: PatternRow[] } | PatternRow);

export function rulesOf(rows: RuleRow[]): Rule[] {
  return rows.map(({ version = 1, asBad, ...row }) => {
    if (!("re" in row))
      return {
        ...row,
        version,
        ...(row.patterns && { patterns: row.patterns.map((pattern) => patternOf(pattern, asBad)) }),
      };
    const { hints, lines, re, weigh, ...rule } = row;
    return { ...rule, version, patterns: [patternOf({ hints, lines, re, weigh }, asBad)] };
  });
}

function patternOf({ asBad, weigh, ...pattern }: PatternRow, byRule: Severity | false | undefined): Pattern {
  const severity = asBad ?? byRule;
  return { ...pattern, weigh: severity === undefined ? weigh : unlessNegativeExample(severity, weigh) };
}

function unlessNegativeExample(severity: Severity | false, weigh: Weigh = () => true): Weigh {
  return (match) => {
    const weight = weigh(match);
    return weight !== false && isNegativeExample(match) ? severity : weight;
  };
}
