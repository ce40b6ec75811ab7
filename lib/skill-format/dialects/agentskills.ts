import type { Dialect } from "./dialect";

/** The specification of agentskills.io (agentskills/agentskills, `docs/specification`), and how its six fields are misspelt. */
export const agentskills: Dialect = {
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
export const agentskillsMetadata: Dialect = {
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
export const toolsSynonym: Dialect = {
  vendor: "agentskills",
  fields: [{ from: "tools", kind: "maybeTools", to: "allowedTools", keep: true }],
};
