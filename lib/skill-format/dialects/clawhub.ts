import type { Dialect } from "./dialect";

/** `_meta.json`, which the registry ClawHub writes beside a SKILL.md. It only fills what the skill itself does not say. */
export const clawhub: Dialect = {
  vendor: "clawhub",
  fields: [
    { from: "displayName", kind: "text", to: "label" },
    { from: "owner", kind: "text", to: "author" },
    { from: "latest.version", spellings: ["version"], kind: "text", to: "version" },
  ],
};
