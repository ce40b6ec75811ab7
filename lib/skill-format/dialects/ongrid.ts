import type { Dialect } from "./dialect";
import { requirementRows } from "./requirement-rows";

/** ongrid's SKILL.md ("Skill manifest", native skill metadata): tools, activation and `metadata.requires`. */
export const ongrid: Dialect = {
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
export const ongridNamespace: Dialect = {
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
