type FieldKind = "text" | "prose" | "flag" | "fork" | "tools" | "list" | "map";

export type FormField = {
  key: string;
  /** Other ways of writing the key, which readers of skills take for the same. */
  spellings: readonly string[];
  kind: FieldKind;
  label: string;
  help?: string;
};

/** The fields of a SKILL.md's frontmatter that the form shows, in the order in which new ones are written. */
export const FORM_FIELDS = [
  {
    key: "name",
    spellings: [],
    kind: "text",
    label: "Name",
    help: "Lower-case letters, digits and hyphens, such as tidy-notes.",
  },
  {
    key: "description",
    spellings: [],
    kind: "prose",
    label: "Description",
    help: "What it does and when to use it. Agents choose by this text; at most 1,024 characters.",
  },
  {
    key: "when_to_use",
    spellings: ["when-to-use"],
    kind: "prose",
    label: "When to use",
    help: "Shown to agents behind the description.",
  },
  {
    key: "allowed-tools",
    spellings: ["allowed_tools", "allowedTools"],
    kind: "tools",
    label: "Allowed tools",
    help: "Agents use these without asking, such as Read or Bash(git add:*).",
  },
  { key: "argument-hint", spellings: ["argument_hint"], kind: "text", label: "Argument hint", help: "Such as [file]." },
  {
    key: "user-invocable",
    spellings: ["user_invocable", "user-invokable"],
    kind: "flag",
    label: "People may call it by name",
  },
  {
    key: "disable-model-invocation",
    spellings: ["disable_model_invocation"],
    kind: "flag",
    label: "Agents may not start it by themselves",
  },
  { key: "context", spellings: [], kind: "fork", label: "Context", help: "A fork works apart and reports back." },
  { key: "license", spellings: [], kind: "text", label: "License" },
  {
    key: "compatibility",
    spellings: [],
    kind: "text",
    label: "Compatibility",
    help: "What it needs to be there. At most 500 characters.",
  },
  { key: "tags", spellings: [], kind: "list", label: "Tags" },
  { key: "homepage", spellings: [], kind: "text", label: "Homepage" },
  { key: "metadata", spellings: [], kind: "map", label: "Metadata" },
] as const satisfies readonly FormField[];

export type FormKey = (typeof FORM_FIELDS)[number]["key"];

export function fieldOf(key: FormKey): FormField {
  const field = FORM_FIELDS.find((candidate) => candidate.key === key);
  if (!field) throw new Error(`there is no form field ${key}`);
  return field;
}
