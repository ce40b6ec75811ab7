/**
 * Compares two versions as Semantic Versioning and PEP 440 do for what both write: numbers by value, a missing number as 0, words
 * such as `rc` before the release, `post` after it. Ignores a leading `v` and build metadata after `+`.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const order = compareParts(left[index], right[index]);
    if (order !== 0) return order;
  }
  return 0;
}

type Part = number | string | undefined;

function partsOf(version: string): Part[] {
  const [plain = ""] = version.replace(/^v/i, "").split("+");
  return (plain.toLowerCase().match(/\d+|[a-z]+/g) ?? []).map((part) => (/\d/.test(part) ? Number(part) : part));
}

function compareParts(a: Part, b: Part): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  if (left !== right) return left - right;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return Number(a ?? 0) - Number(b ?? 0);
}

/** A word is before a number and before the end, except for `post`. */
function rankOf(part: Part): number {
  if (typeof part !== "string") return 1;
  return part === "post" ? 2 : 0;
}
