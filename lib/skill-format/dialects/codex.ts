import type { Dialect } from "./dialect";

/** `agents/openai.yaml` beside a SKILL.md (Codex; openai/skills). */
export const codex: Dialect = {
  vendor: "codex",
  fields: [
    { from: "interface", kind: "interface", to: "interface" },
    { from: "interface.display_name", kind: "text", to: "label" },
    { from: "policy.allow_implicit_invocation", kind: "not", to: "disableModelInvocation" },
  ],
};
