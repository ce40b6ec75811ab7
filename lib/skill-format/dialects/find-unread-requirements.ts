import { readFlow } from "@/lib/skill-format/frontmatter/read-flow";
import { isMapping } from "@/lib/skill-format/json-values";
import type { JsonObject } from "@/lib/skill-format/schema";

const OPENCLAW = ["requires", "os", "primaryEnv", "envVars"];
/** Keys of requirements that are read in each vendor's namespace, by folded key. */
const VENDORS: Readonly<Record<string, readonly string[]>> = {
  ...{ gsv: OPENCLAW, openclaw: OPENCLAW, clawdbot: OPENCLAW, moltbot: OPENCLAW, clawdis: OPENCLAW },
  ...{ clawdhub: OPENCLAW, ongrid: ["requires"], hermes: ["requires"] },
  openjarvis: ["required_capabilities", "prerequisites"],
};
/** Top-level requirements, by folded key. */
const TOP: Readonly<Record<string, string>> = {
  ...{ requires: "requires", prerequisites: "prerequisites", requiredcapabilities: "required_capabilities" },
  requiredenvironmentvariables: "required_environment_variables",
};
/** Keys that probably mean requirements in a vendor's namespace, by folded key. */
const LIKELY_REQUIREMENTS: ReadonlySet<string> = new Set([
  ...["require", "required", "requirement", "requirements", "os", "primaryenv", "envvars", ...Object.keys(TOP)],
]);

/**
 * Paths that look like requirements but that no dialect reads: other letter case, surrounding spaces or dots in keys,
 * misspellings of `requires` in a vendor's namespace, and misplaced namespaces. `known` are the top-level keys that are
 * read.
 */
export function findUnreadRequirements(values: JsonObject, known: ReadonlySet<string>): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (isEmptyValue(value)) return [];
    const [head = "", ...more] = key.split(".").map(foldedKey);
    const isRead = known.has(key);
    if (head === "metadata") {
      if (more.length > 0)
        return more.some((step) => LIKELY_REQUIREMENTS.has(step)) ? [key] : findInVendor(more[0] ?? "", key, value);
      return findInMetadata(value, key, isRead && key === "metadata");
    }
    if (Object.hasOwn(TOP, head)) return isRead && TOP[head] === key ? [] : [key];
    return findInVendor(head, key, value, more);
  });
}

function findInMetadata(metadata: unknown, at: string, isRead: boolean): string[] {
  const value = isMapping(metadata) ? metadata : flowOf(metadata);
  if (!isMapping(value)) return !isRead && mentionsRequirements(metadata) ? [at] : [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (isEmptyValue(inner)) return [];
    const path = `${at}.${key}`;
    const [head = "", ...more] = key.split(".").map(foldedKey);
    if (head === "requires" || head === "os") return isRead && key === head ? [] : [path];
    return findInVendor(head, path, inner, more, isRead && key === head ? VENDORS[head] : []);
  });
}

function findInVendor(
  vendor: string,
  path: string,
  value: unknown,
  more: readonly string[] = [],
  reads: readonly string[] = [],
): string[] {
  if (!Object.hasOwn(VENDORS, vendor)) return [];
  if (more.length > 0)
    return more.some((step) => LIKELY_REQUIREMENTS.has(step)) || mentionsRequirements(value) ? [path] : [];
  if (!isMapping(value)) return mentionsRequirements(value) ? [path] : [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const [head = ""] = key.split(".").map(foldedKey);
    return !isEmptyValue(inner) && LIKELY_REQUIREMENTS.has(head) && !reads.includes(key) ? [`${path}.${key}`] : [];
  });
}

function mentionsRequirements(value: unknown): boolean {
  return /require|prerequisite/i.test(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

function flowOf(value: unknown): unknown {
  return typeof value === "string" ? readFlow(value)?.value : undefined;
}

function foldedKey(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, "");
}

function isEmptyValue(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
