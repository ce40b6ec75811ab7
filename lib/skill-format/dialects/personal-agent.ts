import type { Dialect } from "./dialect";

/** Personal Agent ("Authoring skills"): the specification, and a spelling of its own for isolated execution. */
export const personalAgent: Dialect = {
  vendor: "personal-agent",
  fields: [{ from: "context_fork", spellings: ["context-fork"], kind: "flag", to: "contextFork" }],
};
