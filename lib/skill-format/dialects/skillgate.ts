import type { Dialect } from "./dialect";

/** Fields of this product's own playbooks (docs of the skill format). */
export const skillgate: Dialect = {
  vendor: "skillgate",
  fields: [
    { from: "label", kind: "text", to: "label" },
    { from: "category", kind: "text", to: "category" },
    { from: "class", kind: "class", to: "declaredClass" },
    { from: "scope", kind: "scope", to: "scope" },
    { from: "requires", kind: "mapOnly", to: "requires" },
  ],
};
