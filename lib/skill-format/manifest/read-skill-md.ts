import { decodeSkillText } from "@/lib/skill-format/archive/decode-text";
import { applyDialects, describeUnknown } from "@/lib/skill-format/dialects/apply-dialects";
import type { Dialect, SkillPart } from "@/lib/skill-format/dialects/dialect";
import { restoreMoved } from "@/lib/skill-format/dialects/moved-fields";
import { respellFields, respellLimits } from "@/lib/skill-format/dialects/respell";
import {
  gsv,
  openclaw,
  openclawTopLevel,
  openjarvis,
  openjarvisNamespace,
  requirementRows,
} from "@/lib/skill-format/dialects/tables";
import { NO_TOOL } from "@/lib/skill-format/dialects/tools";
import { findInlineCommands } from "@/lib/skill-format/find-carried";
import { type ParsedFrontmatter, parseFrontmatter } from "@/lib/skill-format/frontmatter/parse-frontmatter";
import { type Diagnostic, NO_REQUIREMENTS } from "@/lib/skill-format/schema";

/** The specification of agentskills.io (agentskills/agentskills, `docs/specification`), and how its six fields are misspelt. */
const agentskills: Dialect = {
  vendor: "agentskills",
  fields: [
    { from: "name", kind: "text", to: "name" },
    { from: "description", kind: "prose", to: "description" },
    { from: "license", kind: "text", to: "license" },
    { from: "compatibility", kind: "textOrJson", to: "compatibility" },
    {
      from: "allowed-tools",
      spellings: ["allowed_tools", "allowedTools", "Allowed-Tools"],
      kind: "tools",
      to: "allowedTools",
    },
  ],
};

/** Entries that the specification's examples put under `metadata`, for skills that say them nowhere else. */
const agentskillsMetadata: Dialect = {
  vendor: "agentskills",
  at: ["metadata"],
  fields: [
    { from: "name", kind: "text", to: "name" },
    { from: "description", kind: "prose", to: "description" },
    { from: "author", kind: "text", to: "author" },
    { from: "version", kind: "text", to: "version" },
    { from: "homepage", kind: "text", to: "homepage" },
    { from: "tags", kind: "texts", to: "tags" },
    { from: "argument-hint", kind: "text", to: "argumentHint" },
    { from: "emoji", kind: "text", to: "emoji" },
  ],
};

/** `tools` is no field of the specification; it is read where it plainly lists tools, and said so. */
const toolsSynonym: Dialect = {
  vendor: "agentskills",
  fields: [{ from: "tools", kind: "maybeTools", to: "allowedTools", keep: true }],
};

/** Claude Code's frontmatter of skills (its documentation "Extend Claude with skills", client 2.1), with usual misspellings. */
const claudeCode: Dialect = {
  vendor: "claude-code",
  fields: [
    {
      from: "disallowed-tools",
      spellings: ["disallowed_tools", "disallowedTools", "Disallowed-Tools"],
      kind: "deniedTools",
      to: "disallowedTools",
    },
    { from: "when_to_use", spellings: ["when-to-use"], kind: "prose", to: "whenToUse" },
    { from: "argument-hint", spellings: ["argument_hint"], kind: "hint", to: "argumentHint" },
    { from: "arguments", kind: "words", to: "arguments" },
    { from: "user-invocable", spellings: ["user_invocable", "user-invokable"], kind: "flag", to: "userInvocable" },
    {
      from: "disable-model-invocation",
      spellings: ["disable_model_invocation"],
      kind: "flag",
      to: "disableModelInvocation",
    },
    { from: "context", kind: "isFork", to: "contextFork" },
    { from: "agent", kind: "text", to: "agent" },
    { from: "model", kind: "text", to: "model" },
    { from: "effort", kind: "text", to: "effort" },
    { from: "hooks", kind: "map", to: "hooks", keep: true },
    { from: "shell", kind: "text", to: "shell" },
    { from: "paths", kind: "texts", to: "paths" },
    { from: "version", kind: "text", to: "version" },
  ],
};

/** ongrid's SKILL.md ("Skill manifest", native skill metadata): tools, activation and `metadata.requires`. */
const ongrid: Dialect = {
  vendor: "ongrid",
  fields: [
    { from: "tools", kind: "declaredTools", to: "tools", keep: true },
    { from: "activation", kind: "activation", to: "activation", keep: true },
    { from: "metadata.os", kind: "requirement", to: "os" },
    { from: "metadata.requires", kind: "looseRequirementMap", to: "unknown" },
    ...requirementRows("metadata.requires"),
  ],
};

/** `metadata.ongrid`, whose activation and tools beat those at the top level; its requirements are added to the others. */
const ongridNamespace: Dialect = {
  vendor: "ongrid",
  at: ["metadata.ongrid"],
  overrides: true,
  fields: [
    { from: "scope", kind: "scope", to: "scope" },
    { from: "activation", kind: "activation", to: "activation" },
    { from: "tools", kind: "declaredTools", to: "tools" },
    { from: "requires", kind: "requirementMap", to: "unknown" },
    ...requirementRows("requires"),
  ],
};

/** Hermes Agent's frontmatter and its namespace `metadata.hermes`. */
const hermes: Dialect = {
  vendor: "hermes",
  fields: [
    { from: "required_environment_variables", kind: "environment", to: "env", keep: true },
    { from: "platforms", kind: "operatingSystems", to: "os", keep: true },
    { from: "prerequisites.commands", kind: "requirement", to: "bins" },
    { from: "prerequisites.env_vars", kind: "requirement", to: "env" },
    { from: "metadata.hermes.requires", kind: "looseRequirementMap", to: "unknown" },
    ...requirementRows("metadata.hermes.requires"),
    { from: "metadata.hermes.tags", kind: "texts", to: "tags" },
    { from: "metadata.hermes.category", kind: "text", to: "category" },
    { from: "metadata.hermes.homepage", kind: "text", to: "homepage" },
  ],
};

/** Fields of this product's own playbooks (docs of the skill format). */
const skillgate: Dialect = {
  vendor: "skillgate",
  fields: [
    { from: "label", kind: "text", to: "label" },
    { from: "category", kind: "text", to: "category" },
    { from: "class", kind: "class", to: "declaredClass" },
    { from: "scope", kind: "scope", to: "scope" },
    { from: "requires", kind: "mapOnly", to: "requires" },
  ],
};

/** Personal Agent ("Authoring skills"): the specification, and a spelling of its own for isolated execution. */
const personalAgent: Dialect = {
  vendor: "personal-agent",
  fields: [{ from: "context_fork", spellings: ["context-fork"], kind: "flag", to: "contextFork" }],
};

/**
 * The dialects of a SKILL.md. For each field of the manifest the first table that yields a value wins: namespaces that
 * override the top level by their own documents, then the top level, then namespaces, then plain entries of `metadata`.
 * Requirements are the exception: they are added up. A new dialect is a new table in this list.
 */
const SKILL_MD_DIALECTS: readonly Dialect[] = [
  openjarvisNamespace,
  ongridNamespace,
  agentskills,
  claudeCode,
  personalAgent,
  skillgate,
  openjarvis,
  gsv,
  ongrid,
  openclawTopLevel,
  openclaw,
  hermes,
  agentskillsMetadata,
  toolsSynonym,
];

/** What a SKILL.md says, and how its frontmatter had to be read. */
export type SkillMdPart = SkillPart & {
  stage: ParsedFrontmatter["stage"];
  /** The top-level keys, as they are written. */
  topLevel: ReadonlySet<string>;
};

/**
 * What a SKILL.md says in any known dialect (dialects/precedence.ts) and its body. Never throws: bytes that are not text
 * and frontmatter that is not valid become diagnostics. What no dialect names is kept in `meta` untouched.
 */
export function readSkillMd(file: { path: string; bytes: Uint8Array }): SkillMdPart {
  const { path } = file;
  const decoded = decodeSkillText(file.bytes, path);
  const { mapping: parsed, body, stage, blockLine, diagnostics: problems } = parseFrontmatter(decoded.text, path);
  const inlineCommands = findInlineCommands(body);
  if (parsed === null) {
    const lost = describeLost(decoded.text, problems, path);
    const diagnostics = [...decoded.diagnostics, ...problems, ...lost.diagnostics];
    return { fields: { body, inlineCommands, ...lost.fields }, meta: {}, stage, topLevel: new Set(), diagnostics };
  }
  const topLevel = new Set(Object.keys(parsed.values));
  const { mapping: restored, kept } = restoreMoved(parsed);
  const named = respellFields(restored);
  const { mapping, respelled } = respellLimits(named.mapping);
  for (const { key, field } of [...named.respelled, ...respelled]) {
    const message = `"${key}" is read as "${field}"; most agents do not know it.`;
    const line = (parsed.lines.get(key) ?? 1) + blockLine - 1;
    problems.push({ code: "key_respelled", severity: "warning", path, line, message });
  }
  const { fields, meta, diagnostics } = applyDialects(mapping, { path, firstLine: blockLine }, SKILL_MD_DIALECTS);
  if (fields.name !== undefined) fields.name = fields.name.trim();
  fields.body = body;
  fields.inlineCommands = inlineCommands;
  Object.assign(meta, kept);
  // Steps of a pipeline are read from what is left.
  const unknown = describeUnknown(Object.keys(mapping.values), path, SKILL_MD_DIALECTS, ["steps"]);
  return {
    ...{ fields, meta, stage, topLevel },
    diagnostics: [...decoded.diagnostics, ...problems, ...diagnostics, ...unknown],
  };
}

// Keys with which a frontmatter limits who is offered the skill, and what it may use, in any dialect.
const REQUIRES =
  /(?:^|[\s{,"'])(?:metadata|requires|prerequisites|required_environment_variables|required_capabilities|platforms)["']?\s*:/;
const LIMITS_TOOLS = /(?:^|[\s{,"'])(?:dis)?allowed[-_]?tools["']?\s*:/i;
const UNREAD: ReadonlySet<string> = new Set(["yaml_invalid", "frontmatter_too_large", "fence_unclosed"]);

/** A frontmatter that is there and was not read may have required something, and limited the tools. */
function describeLost(text: string, problems: Diagnostic[], path: string): Pick<SkillPart, "fields" | "diagnostics"> {
  const isUnread = problems.some(({ code }) => UNREAD.has(code));
  if (!isUnread || !(REQUIRES.test(text) || LIMITS_TOOLS.test(text))) return { fields: {}, diagnostics: [] };
  const message = "The frontmatter cannot be read, so what it requires is not known. The skill counts as not eligible.";
  return {
    fields: {
      requirements: { ...NO_REQUIREMENTS, invalid: true },
      ...(LIMITS_TOOLS.test(text) && { allowedTools: [NO_TOOL] }),
    },
    diagnostics: [{ code: "requirements_invalid", severity: "warning", path, message }],
  };
}
