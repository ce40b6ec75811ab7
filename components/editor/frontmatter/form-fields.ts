type FieldKind = "text" | "prose" | "flag" | "fork" | "tools" | "list" | "map";

export type FormField = {
  key: string;
  /** Alternative spellings of the key that skill parsers accept. */
  spellings: readonly string[];
  kind: FieldKind;
  label: string;
  help?: string;
  /** What holds without the field. */
  unset?: string;
};

/** The frontmatter fields in the form, in the order in which new ones are written. */
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
    help: "What the skill does and when to use it. Agents choose skills by this text. At most 1,024 characters.",
  },
  {
    key: "when_to_use",
    spellings: ["when-to-use"],
    kind: "prose",
    label: "When to use",
    help: "Shown to agents after the description.",
  },
  {
    key: "allowed-tools",
    spellings: ["allowed_tools", "allowedTools"],
    kind: "tools",
    label: "Allowed tools",
    help: "Tools that agents use without asking, such as Read or Bash(git add:*).",
  },
  {
    key: "argument-hint",
    spellings: ["argument_hint"],
    kind: "text",
    label: "Argument hint",
    help: "Shown to people who start it by name, such as [file].",
  },
  {
    key: "user-invocable",
    spellings: ["user_invocable", "user-invokable"],
    kind: "flag",
    label: "People can run it by name",
    help: "No: only agents and pipelines use it.",
    unset: "Yes",
  },
  {
    key: "disable-model-invocation",
    spellings: ["disable_model_invocation"],
    kind: "flag",
    label: "Only people can start it",
    help: "Yes: agents never choose it on their own.",
    unset: "No",
  },
  {
    key: "context",
    spellings: [],
    kind: "fork",
    label: "Conversation",
    help: "Where agents follow the instructions. Of a separate conversation, only the result returns.",
    unset: "The same conversation",
  },
  { key: "license", spellings: [], kind: "text", label: "Licence" },
  {
    key: "compatibility",
    spellings: [],
    kind: "text",
    label: "Compatibility",
    help: "What the skill requires. At most 500 characters.",
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
