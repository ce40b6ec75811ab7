import type { Dialect, DialectField } from "./dialect";

/** Rows for every entry of a requirements mapping at the path `at`. */
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

/** GSV's own top-level fields ("Skills Frontmatter Reference"). The OpenClaw table reads its namespace. */
export const gsv: Dialect = {
  vendor: "gsv",
  fields: [
    { from: "homepage", kind: "text", to: "homepage" },
    { from: "always", kind: "flag", to: "always" },
  ],
};

/** Capabilities of a host (GSV, `requires.capabilities`). */
export const GSV_CAPABILITIES: ReadonlySet<string> = new Set([
  "filesystem.list",
  "filesystem.read",
  "filesystem.write",
  "filesystem.edit",
  "text.search",
  "shell.exec",
]);

/**
 * The namespace shared by GSV and the OpenClaw family (GSV "Skills Frontmatter Reference"; ClawHub
 * `metadata.openclaw`), including OpenClaw's former names. The first present one is used exclusively: an empty `gsv`
 * hides the requirements of `openclaw`.
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
 * OpenClaw's requirements at the top level, as some skills write them. Other programs' requirements there (`mcp:
 * [rube]`) are ignored; a value that is not a mapping is an unreadable requirement.
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

/** OpenJarvis' nine mappings of fields outside the specification ("Skills Architecture", SkillParser). */
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

/** The fields of `openjarvis` under `metadata.openjarvis`, which override those at the top level. */
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

/** The specification of agentskills.io (agentskills/agentskills, `docs/specification`), with common misspellings. */
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

/** Entries that the specification's examples put under `metadata`; used when the top level lacks them. */
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

/** `tools` is no field of the specification; it is read, with a diagnostic, when it clearly lists tools. */
const toolsSynonym: Dialect = {
  vendor: "agentskills",
  fields: [{ from: "tools", kind: "maybeTools", to: "allowedTools", keep: true }],
};

/** Claude Code's frontmatter of skills ("Extend Claude with skills", client 2.1), with common misspellings. */
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

/** `metadata.ongrid`: its activation and tools override the top level, its requirements are added. */
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

/** Skillgate's own fields. */
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

/** Personal Agent ("Authoring skills"): the specification with another spelling for isolated execution. */
const personalAgent: Dialect = {
  vendor: "personal-agent",
  fields: [{ from: "context_fork", spellings: ["context-fork"], kind: "flag", to: "contextFork" }],
};

/**
 * The dialects of a SKILL.md in order of precedence: namespaces that override the top level, the top level, other
 * namespaces, entries of `metadata`. Requirements of all are merged. Add a dialect as a table in this list.
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
