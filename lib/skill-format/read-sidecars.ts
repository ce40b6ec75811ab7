import { decodeText } from "./archive/is-text";
import { MAX_FRONTMATTER_BYTES } from "./archive/limits";
import type { SkillFile } from "./archive/skill-file";
import { applyDialects } from "./dialects/apply-dialects";
import type { Dialect } from "./dialects/dialect";
import { isMapping } from "./dialects/take-fields";
import { parseJsonStrict } from "./frontmatter/parse-json-strict";
import { isFailure, parseYamlBlock } from "./frontmatter/parse-yaml-block";
import type { SkillPart } from "./manifest/skill-part";
import type { JsonObject } from "./schema";

/** `agents/openai.yaml` beside a SKILL.md (Codex; openai/skills). */
const codex: Dialect = {
  vendor: "codex",
  fields: [
    { from: "interface", kind: "interface", to: "interface" },
    { from: "interface.display_name", kind: "text", to: "label" },
    { from: "policy.allow_implicit_invocation", kind: "not", to: "disableModelInvocation" },
  ],
};

/** `_meta.json`, which the registry ClawHub writes beside a SKILL.md. It only fills what the skill itself does not say. */
const clawhub: Dialect = {
  vendor: "clawhub",
  fields: [
    { from: "displayName", kind: "text", to: "label" },
    { from: "owner", kind: "text", to: "author" },
    { from: "latest.version", spellings: ["version"], kind: "text", to: "version" },
  ],
};

/**
 * What the files say that registries and agents put beside a SKILL.md: `_meta.json` (ClawHub) and `agents/openai.yaml`
 * (Codex). They only add to what the skill says itself. One that cannot be read is told and not used.
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
