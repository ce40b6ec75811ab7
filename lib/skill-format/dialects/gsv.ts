import type { Dialect } from "./dialect";

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
