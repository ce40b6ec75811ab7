import type { Dialect } from "./dialect";

/** Claude Code's frontmatter of skills (its documentation "Extend Claude with skills", client 2.1), with usual misspellings. */
export const claudeCode: Dialect = {
  vendor: "claude-code",
  fields: [
    {
      from: "disallowed-tools",
      spellings: ["disallowed_tools", "disallowedTools", "Disallowed-Tools"],
      kind: "deniedTools",
      to: "disallowedTools",
    },
    { from: "when_to_use", spellings: ["when-to-use"], kind: "prose", to: "whenToUse" },
    { from: "argument-hint", spellings: ["argument_hint"], kind: "hint", to: "argumentHint" },
    { from: "arguments", kind: "words", to: "arguments" },
    { from: "user-invocable", spellings: ["user_invocable", "user-invokable"], kind: "flag", to: "userInvocable" },
    {
      from: "disable-model-invocation",
      spellings: ["disable_model_invocation"],
      kind: "flag",
      to: "disableModelInvocation",
    },
    { from: "context", kind: "isFork", to: "contextFork" },
    { from: "agent", kind: "text", to: "agent" },
    { from: "model", kind: "text", to: "model" },
    { from: "effort", kind: "text", to: "effort" },
    { from: "hooks", kind: "map", to: "hooks", keep: true },
    { from: "shell", kind: "text", to: "shell" },
    { from: "paths", kind: "texts", to: "paths" },
    { from: "version", kind: "text", to: "version" },
  ],
};
