import { readFlow } from "@/lib/skill-format/frontmatter/read-flow";
import { isMapping } from "@/lib/skill-format/json-values";
import type { JsonObject } from "@/lib/skill-format/schema";

const OPENCLAW = ["requires", "os", "primaryEnv", "envVars"];
/** The namespaces of vendors, by their letters, and what is read there of requirements. */
const VENDORS: Readonly<Record<string, readonly string[]>> = {
  ...{ gsv: OPENCLAW, openclaw: OPENCLAW, clawdbot: OPENCLAW, moltbot: OPENCLAW, clawdis: OPENCLAW },
  ...{ clawdhub: OPENCLAW, ongrid: ["requires"], hermes: ["requires"] },
  openjarvis: ["required_capabilities", "prerequisites"],
};
/** What is required at the top level, by its letters. */
const TOP: Readonly<Record<string, string>> = {
  ...{ requires: "requires", prerequisites: "prerequisites", requiredcapabilities: "required_capabilities" },
  requiredenvironmentvariables: "required_environment_variables",
};
/** What is meant as a requirement in the namespace of a vendor, by its letters. */
const LIKELY_REQUIREMENTS: ReadonlySet<string> = new Set([
  ...["require", "required", "requirement", "requirements", "os", "primaryenv", "envvars", ...Object.keys(TOP)],
]);

/**
 * The paths of what looks like requirements and is read by no dialect: keys in another letter case, with blanks around them or
 * with dots in them, near spellings of `requires` in the namespace of a vendor, and a namespace in another place. `known` are
 * the top-level keys that are read of this file.
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

/** `reads` are the keys that are read in this place. */
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

/** What is no mapping and speaks of requirements. */
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
