import type { Dialect } from "./dialect";

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
