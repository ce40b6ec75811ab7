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
