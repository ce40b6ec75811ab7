import { MAX_COMPATIBILITY_CHARS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import {
  isFailure,
  NOT_A_MAPPING,
  parseYamlBlock,
  type YamlMapping,
} from "@/lib/skill-format/frontmatter/parse-yaml-block";
import type { Diagnostic } from "@/lib/skill-format/schema";

export type StrictTarget = readonly SkillFile[] | "missing" | "not_a_directory";

/**
 * Validates a skill like the reference library of the specification (agentskills/agentskills, `skills-ref`, validator
 * and parser), with its messages in its order; it accepts folders without errors. Warnings report what other clients
 * refuse. The last part of `folder` must be the skill's name.
 */
export function validateStrict(folder: string, target: StrictTarget): Diagnostic[] {
  if (target === "missing") return [problem("strict_path_missing", `Path does not exist: ${folder}`)];
  if (target === "not_a_directory") return [problem("strict_not_a_directory", `Not a directory: ${folder}`)];
  const file = ["SKILL.md", "skill.md"].map((path) => target.find((item) => item.path === path)).find((item) => item);
  if (file === undefined) return [problem("strict_file_missing", "Missing required file: SKILL.md")];
  const parsed = parseStrict(file.bytes);
  const diagnostics =
    "problem" in parsed ? [parsed.problem] : checkMapping(parsed.mapping, folder.split("/").at(-1) ?? "");
  return diagnostics.map((diagnostic) => ({ ...diagnostic, path: file.path }));
}

/** The reference library splits at the first two `---` anywhere, and keeps a byte order mark. */
function parseStrict(bytes: Uint8Array): { mapping: YamlMapping } | { problem: Diagnostic } {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { problem: problem("strict_not_utf8", "SKILL.md is not UTF-8 text") };
  }
  if (!text.startsWith("---")) {
    return { problem: problem("strict_fence_missing", "SKILL.md must start with YAML frontmatter (---)") };
  }
  const end = text.indexOf("---", 3);
  if (end === -1) {
    return { problem: problem("strict_fence_unclosed", "SKILL.md frontmatter not properly closed with ---") };
  }
  const mapping = parseYamlBlock(text.slice(3, end).replace(/\r\n?/g, "\n"));
  if (!isFailure(mapping)) {
    const isEmpty = Object.keys(mapping.values).length === 0;
    return isEmpty ? { problem: problem("strict_not_a_mapping", NO_MAPPING) } : { mapping };
  }
  if (mapping.message === NOT_A_MAPPING) return { problem: problem("strict_not_a_mapping", NO_MAPPING) };
  return { problem: problem("strict_yaml_invalid", `Invalid YAML in frontmatter: ${mapping.message}`, mapping.line) };
}

const NO_MAPPING = "SKILL.md frontmatter must be a YAML mapping";
const ALLOWED = ["allowed-tools", "compatibility", "description", "license", "metadata", "name"];

function checkMapping({ values, texts, sources }: YamlMapping, folder: string): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const unexpected = Object.keys(values).filter((key) => !ALLOWED.includes(key));
  if (unexpected.length > 0) {
    const known = ALLOWED.map((key) => `'${key}'`).join(", ");
    const message = `Unexpected fields in frontmatter: ${unexpected.sort().join(", ")}. Only [${known}] are allowed.`;
    diagnostics.push(problem("strict_unexpected_fields", message));
  }
  for (const [key, check] of [
    ["name", (text: string) => checkName(text, folder)],
    ["description", checkDescription],
  ] as const) {
    if (!Object.hasOwn(values, key)) {
      diagnostics.push(problem(`strict_${key}_missing`, `Missing required field in frontmatter: ${key}`));
    } else if ((texts.get(key) ?? "").trim() === "") {
      diagnostics.push(problem(`strict_${key}_empty`, `Field '${key}' must be a non-empty string`));
    } else {
      diagnostics.push(...check(texts.get(key) ?? ""));
    }
  }
  if (Object.hasOwn(values, "compatibility")) diagnostics.push(...checkCompatibility(texts.get("compatibility")));
  if (sources.size > 0) {
    const message = `Brackets in ${[...sources.keys()].join(", ")}: the reference library in Python refuses them, its port to npm does not.`;
    diagnostics.push({ code: "strict_brackets", severity: "warning", message });
  }
  return diagnostics;
}

function checkName(raw: string, folder: string): Diagnostic[] {
  const name = raw.trim().normalize("NFKC");
  const diagnostics: Diagnostic[] = [];
  const chars = [...name].length;
  if (chars > MAX_NAME_CHARS) {
    diagnostics.push(
      problem("strict_name_long", `Skill name '${name}' exceeds ${MAX_NAME_CHARS} character limit (${chars} chars)`),
    );
  }
  if (name !== name.toLowerCase())
    diagnostics.push(problem("strict_name_case", `Skill name '${name}' must be lowercase`));
  if (name.startsWith("-") || name.endsWith("-")) {
    diagnostics.push(problem("strict_name_hyphen", "Skill name cannot start or end with a hyphen"));
  }
  if (name.includes("--"))
    diagnostics.push(problem("strict_name_hyphens", "Skill name cannot contain consecutive hyphens"));
  // Python's isalnum: letters and numbers of any script.
  if (!/^[\p{L}\p{N}-]*$/u.test(name)) {
    const message = `Skill name '${name}' contains invalid characters. Only letters, digits, and hyphens are allowed.`;
    diagnostics.push(problem("strict_name_chars", message));
  } else if (!/^[a-z0-9-]*$/i.test(name)) {
    const message = "Clients that install over the network accept a-z, 0-9 and hyphens only.";
    diagnostics.push({ code: "strict_name_not_ascii", severity: "warning", message });
  }
  if (folder.normalize("NFKC") !== name) {
    diagnostics.push(problem("strict_folder_differs", `Directory name '${folder}' must match skill name '${name}'`));
  }
  return diagnostics;
}

function checkDescription(text: string): Diagnostic[] {
  const chars = [...text].length;
  if (chars <= MAX_DESCRIPTION_CHARS) return [];
  return [
    problem("strict_description_long", `Description exceeds ${MAX_DESCRIPTION_CHARS} character limit (${chars} chars)`),
  ];
}

function checkCompatibility(text: string | undefined): Diagnostic[] {
  if (text === undefined) return [problem("strict_compatibility_type", "Field 'compatibility' must be a string")];
  const chars = [...text].length;
  if (chars <= MAX_COMPATIBILITY_CHARS) return [];
  const message = `Compatibility exceeds ${MAX_COMPATIBILITY_CHARS} character limit (${chars} chars)`;
  return [problem("strict_compatibility_long", message)];
}

function problem(code: string, message: string, line?: number): Diagnostic {
  return { code, severity: "error", ...(line && { line }), message };
}
