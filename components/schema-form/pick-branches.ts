import type { OutputUnit } from "@cfworker/json-schema";

/** Keywords whose error only says that something inside is wrong. */
const summaries = new Set([
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "allOf",
  "if",
  "dependentSchemas",
  "dependencies",
]);

/**
 * The errors a person needs: of a choice, those of the branch that fits best (the one they most likely meant), and no
 * sentence that only sums up others.
 */
export function pickBranches(units: readonly OutputUnit[]): OutputUnit[] {
  const choice = outermostChoice(units);
  if (!choice) return units.filter((unit) => !summaries.has(unit.keyword));
  const prefix = `${choice.keywordLocation}/`;
  const inside = units.filter((unit) => unit.keywordLocation.startsWith(prefix) && isAtOrBelow(unit, choice));
  const others = units.filter((unit) => unit !== choice && !inside.includes(unit));
  const branches = [...new Map(inside.map((unit) => [branchOf(unit, prefix), true])).keys()]
    .map((branch) => inside.filter((unit) => branchOf(unit, prefix) === branch))
    .sort((a, b) => misfit(a, choice) - misfit(b, choice));
  const best = branches[0];
  // Several branches fit at once: nothing inside is wrong, so the choice itself is the error.
  const picked = best === undefined ? [{ ...choice, keyword: "ambiguous" }] : pickBranches(best);
  return [...pickBranches(others), ...picked];
}

function outermostChoice(units: readonly OutputUnit[]): OutputUnit | undefined {
  return units
    .filter((unit) => unit.keyword === "oneOf" || unit.keyword === "anyOf")
    .sort((a, b) => a.keywordLocation.length - b.keywordLocation.length)[0];
}

function isAtOrBelow(unit: OutputUnit, choice: OutputUnit): boolean {
  const at = choice.instanceLocation;
  return unit.instanceLocation === at || unit.instanceLocation.startsWith(`${at}/`);
}

function branchOf(unit: OutputUnit, prefix: string): string {
  return unit.keywordLocation.slice(prefix.length).split("/")[0] ?? "";
}

/** A branch whose fixed values or type differ was not meant; after that, fewer errors is closer. */
function misfit(units: readonly OutputUnit[], choice: OutputUnit): number {
  const depth = choice.instanceLocation.split("/").length;
  const decisive = units.filter((unit) => {
    const isNear = unit.instanceLocation.split("/").length <= depth + 1;
    return isNear && (unit.keyword === "const" || unit.keyword === "enum" || unit.keyword === "type");
  });
  return decisive.length * 100 + units.length;
}

/**
 * A schema `false` says that a property may not be there, but its error lacks its place in the schema: the one before it
 * has that. The two become one, with the keyword `forbidden`.
 */
export function joinForbidden(units: readonly OutputUnit[]): OutputUnit[] {
  return units.flatMap((unit, index) => {
    if (unit.keyword === "false") return [];
    const next = units[index + 1];
    if (next?.keyword !== "false") return [unit];
    return [{ ...unit, keyword: "forbidden", instanceLocation: next.instanceLocation }];
  });
}
