import type { Dialect } from "./dialect";
import { requirementRows } from "./requirement-rows";

/** Hermes Agent's frontmatter and its namespace `metadata.hermes`. */
export const hermes: Dialect = {
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
