import { decodeText } from "@/lib/skill-format/archive/decode-text";
import { MAX_FRONTMATTER_BYTES, MAX_SKILL_JSON_BYTES } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { applyDialects } from "@/lib/skill-format/dialects/apply-dialects";
import type { Dialect, SkillPart } from "@/lib/skill-format/dialects/dialect";
import { isFailure, parseYamlBlock } from "@/lib/skill-format/frontmatter/parse-yaml-block";
import { readToml } from "@/lib/skill-format/frontmatter/read-toml";
import { isMapping, parseJsonStrict } from "@/lib/skill-format/json-values";
import type { Diagnostic, JsonObject, Overlay } from "@/lib/skill-format/schema";

/** `agents/openai.yaml` beside a SKILL.md (Codex; openai/skills). */
const codex: Dialect = {
  vendor: "codex",
  fields: [
    { from: "interface", kind: "interface", to: "interface" },
    { from: "interface.display_name", kind: "text", to: "label" },
    { from: "policy.allow_implicit_invocation", kind: "not", to: "disableModelInvocation" },
  ],
};

/** `_meta.json`, which the registry ClawHub writes beside a SKILL.md. */
const clawhub: Dialect = {
  vendor: "clawhub",
  fields: [
    { from: "displayName", kind: "text", to: "label" },
    { from: "owner", kind: "text", to: "author" },
    { from: "latest.version", spellings: ["version"], kind: "text", to: "version" },
  ],
};

/**
 * Reads the files that registries and agents put beside a SKILL.md: `_meta.json` (ClawHub) and `agents/openai.yaml`
 * (Codex). They only fill fields that the skill does not set. Unreadable ones are reported and ignored.
 */
export function readSidecars(files: readonly SkillFile[]): SkillPart[] {
  return SIDECARS.flatMap(({ path, dialects, parse }) => {
    const file = files.find((candidate) => candidate.path === path);
    return file === undefined ? [] : [readSidecar(file, dialects, parse)];
  });
}

type Sidecar = { path: string; dialects: readonly Dialect[]; parse(text: string): JsonObject | null };

const SIDECARS: readonly Sidecar[] = [
  { path: "_meta.json", dialects: [clawhub], parse: parseJson },
  { path: "agents/openai.yaml", dialects: [codex], parse: parseYaml },
  { path: "agents/openai.yml", dialects: [codex], parse: parseYaml },
];

function readSidecar(file: SkillFile, dialects: readonly Dialect[], parse: Sidecar["parse"]): SkillPart {
  const text = file.bytes.length > MAX_FRONTMATTER_BYTES ? null : decodeText(file.bytes);
  const values = text === null ? null : parse(text);
  if (values !== null) return { ...applyDialects({ values }, { path: file.path }, dialects), meta: {} };
  const message = "The file cannot be read and is not used.";
  return {
    fields: {},
    meta: {},
    diagnostics: [{ code: "sidecar_unreadable", severity: "warning", path: file.path, message }],
  };
}

function parseJson(text: string): JsonObject | null {
  const json = parseJsonStrict(text);
  return json.ok && isMapping(json.value) ? json.value : null;
}

function parseYaml(text: string): JsonObject | null {
  const yaml = parseYamlBlock(text);
  return isFailure(yaml) ? null : yaml.values;
}

const PATH = "optimized.toml";
const MAX_EXAMPLES = 100;

/** Reads an overlay (OpenJarvis, "SkillOverlay"): another description, and examples. */
export function readOverlay(file: { bytes: Uint8Array }): SkillPart {
  const text = file.bytes.length > MAX_SKILL_JSON_BYTES ? null : decodeText(file.bytes);
  const toml = text === null ? null : readToml(text);
  const values = toml?.ok === true ? (toml.value.optimized ?? toml.value) : null;
  if (!isMapping(values)) {
    const message = "The overlay cannot be read and is not used.";
    return {
      fields: {},
      meta: {},
      diagnostics: [{ code: "overlay_unreadable", severity: "warning", path: PATH, message }],
    };
  }
  const textOf = (key: string) => (typeof values[key] === "string" && values[key] !== "" ? values[key] : null);
  const overlay: Overlay = {
    optimizer: textOf("optimizer"),
    optimizedAt: textOf("optimized_at"),
    traceCount: typeof values.trace_count === "number" ? values.trace_count : null,
    description: textOf("description"),
    fewShot: readExamples(values.few_shot),
  };
  const diagnostics: Diagnostic[] = [];
  if (overlay.description !== null) {
    const message = "The description comes from optimized.toml, not from the skill's author.";
    diagnostics.push({ code: "overlay_applied", severity: "info", path: PATH, message });
  }
  const description = overlay.description === null ? {} : { description: overlay.description };
  return { fields: { overlay, ...description }, meta: {}, diagnostics };
}

function readExamples(value: unknown): Overlay["fewShot"] {
  const items: unknown[] = Array.isArray(value) ? value.slice(0, MAX_EXAMPLES) : [];
  return items.flatMap((item) =>
    isMapping(item) && typeof item.input === "string" && typeof item.output === "string"
      ? [{ input: item.input, output: item.output }]
      : [],
  );
}
