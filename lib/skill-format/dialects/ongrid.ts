import type { Dialect } from "./dialect";

/** ongrid's SKILL.md ("Skill manifest", native skill metadata): tools, activation and `metadata.requires`. */
export const ongrid: Dialect = {
  vendor: "ongrid",
  fields: [
    { from: "tools", kind: "declaredTools", to: "tools", keep: true },
    { from: "activation", kind: "activation", to: "activation", keep: true },
    { from: "metadata.os", kind: "operatingSystems", to: "os" },
    { from: "metadata.requires.bins", kind: "requirement", to: "bins" },
    { from: "metadata.requires.config", kind: "requirement", to: "config" },
    { from: "metadata.requires.credentials", kind: "credentials", to: "credentials" },
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
    { from: "requires.bins", kind: "requirement", to: "bins" },
    { from: "requires.anyBins", kind: "requirement", to: "anyBins" },
    { from: "requires.env", kind: "requirement", to: "env" },
    { from: "requires.os", kind: "requirement", to: "os" },
    { from: "requires.config", kind: "requirement", to: "config" },
    { from: "requires.capabilities", kind: "capabilities", to: "capabilities" },
    { from: "requires.credentials", kind: "credentials", to: "credentials" },
  ],
};
