/**
 * Top-level keys that skills really use (in the order of how many repositories do). The repairs take them for the beginning
 * of a field where the text alone does not tell.
 */
export const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...["name", "description", "metadata", "license", "allowed-tools", "version", "compatibility", "argument-hint"],
  ...["author", "user-invocable", "tags", "triggers", "disable-model-invocation", "homepage", "category"],
  ...["dependencies", "when_to_use", "when-to-use", "context", "tools", "title", "platforms", "prerequisites"],
  ...["related_skills", "trigger", "requires", "model", "hooks", "agent", "effort", "paths", "shell", "arguments"],
  ...["always", "slug", "summary", "keywords", "emoji", "allowed_tools", "activation", "class", "scope", "label"],
  ...["depends", "install", "required_environment_variables"],
]);
