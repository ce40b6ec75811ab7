import type { Dialect, DialectField } from "./dialect";

/** The rows for all that a mapping of requirements may hold, whichever dialect it is of. `at` is the mapping's path. */
export function requirementRows(at: string): DialectField[] {
  return [
    { from: `${at}.bins`, kind: "requirement", to: "bins" },
    { from: `${at}.anyBins`, kind: "requirement", to: "anyBins" },
    { from: `${at}.env`, kind: "requirement", to: "env" },
    { from: `${at}.os`, kind: "requirement", to: "os" },
    { from: `${at}.config`, kind: "requirement", to: "config" },
    { from: `${at}.capabilities`, kind: "capabilities", to: "capabilities" },
    { from: `${at}.credentials`, kind: "credentials", to: "credentials" },
  ];
}

/** GSV's own top-level fields ("Skills Frontmatter Reference"); its namespace is read with the OpenClaw family's. */
export const gsv: Dialect = {
  vendor: "gsv",
  fields: [
    { from: "homepage", kind: "text", to: "homepage" },
    { from: "always", kind: "flag", to: "always" },
  ],
};

/** What a host can be asked for (GSV, `requires.capabilities`). */
export const GSV_CAPABILITIES: ReadonlySet<string> = new Set([
  "filesystem.list",
  "filesystem.read",
  "filesystem.write",
  "filesystem.edit",
  "text.search",
  "shell.exec",
]);

/**
 * The namespace that GSV and the OpenClaw family share (GSV "Skills Frontmatter Reference"; ClawHub `metadata.openclaw`), and
 * OpenClaw's former names. The first that is there wins entirely: an empty `gsv` hides what `openclaw` requires.
 */
export const openclaw: Dialect = {
  vendor: "openclaw",
  at: [
    ...["metadata.gsv", "metadata.openclaw", "metadata.clawdbot"],
    ...["metadata.moltbot", "metadata.clawdis", "metadata.clawdhub"],
  ],
  fields: [
    { from: "emoji", kind: "text", to: "emoji" },
    { from: "always", kind: "flag", to: "always" },
    { from: "homepage", kind: "text", to: "homepage" },
    { from: "tags", kind: "texts", to: "tags" },
    { from: "requires", kind: "requirementMap", to: "unknown" },
    ...requirementRows("requires"),
    { from: "os", kind: "requirement", to: "os" },
    { from: "primaryEnv", kind: "requirement", to: "env" },
    { from: "envVars", kind: "environment", to: "env" },
    { from: "install", kind: "install", to: "install" },
  ],
};

/**
 * The same requirements as some skills write them, at the top level. Other programs require other things there (`mcp: [rube]`),
 * which are left to them; what is no mapping at all is a requirement that cannot be read.
 */
export const openclawTopLevel: Dialect = {
  vendor: "openclaw",
  fields: [
    { from: "emoji", kind: "text", to: "emoji" },
    { from: "requires", kind: "looseRequirementMap", to: "unknown" },
    ...requirementRows("requires"),
    { from: "install", kind: "install", to: "install", keep: true },
  ],
};

/** OpenJarvis' nine mappings of fields outside of the specification ("Skills Architecture", SkillParser). */
export const openjarvis: Dialect = {
  vendor: "openjarvis",
  fields: [
    { from: "version", kind: "text", to: "version" },
    { from: "author", kind: "text", to: "author" },
    { from: "signature", kind: "text", to: "signature" },
    { from: "tags", kind: "texts", to: "tags" },
    { from: "depends", kind: "texts", to: "depends" },
    { from: "required_capabilities", kind: "capabilityList", to: "requiredCapabilities" },
    { from: "user_invocable", kind: "flag", to: "userInvocable" },
    { from: "disable_model_invocation", kind: "flag", to: "disableModelInvocation" },
    { from: "platforms", kind: "operatingSystems", to: "os", keep: true },
    { from: "prerequisites", kind: "looseRequirementMap", to: "unknown" },
    { from: "prerequisites.commands", kind: "requirement", to: "bins" },
    { from: "prerequisites.env_vars", kind: "requirement", to: "env" },
  ],
};

/** The same under `metadata.openjarvis`, which overrides the top level. */
export const openjarvisNamespace: Dialect = {
  vendor: "openjarvis",
  at: ["metadata.openjarvis"],
  overrides: true,
  fields: openjarvis.fields,
};

/** `[skill]` of a skill.toml. */
export const openjarvisToml: Dialect = {
  vendor: "openjarvis",
  fields: [
    { from: "name", kind: "text", to: "name" },
    { from: "description", kind: "text", to: "description" },
    ...openjarvis.fields,
  ],
};

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
export const SKILL_MD_DIALECTS: readonly Dialect[] = [
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
