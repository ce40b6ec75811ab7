import type { SkillManifest } from "./schema";

/** A field of the manifest that the specification has no place for, and the top-level name under which it is read again. */
export type SpecField = { field: keyof SkillManifest; key: string; changesBehaviour?: true };

/** Where it changes what an agent does or may do, losing sight of it is worth a warning. */
export const MOVED_FIELDS: readonly SpecField[] = [
  { field: "whenToUse", key: "when_to_use", changesBehaviour: true },
  { field: "label", key: "label" },
  { field: "author", key: "author" },
  { field: "version", key: "version" },
  { field: "homepage", key: "homepage" },
  { field: "category", key: "category" },
  { field: "tags", key: "tags" },
  { field: "depends", key: "depends" },
  { field: "requires", key: "requires", changesBehaviour: true },
  { field: "always", key: "always" },
  { field: "userInvocable", key: "user-invocable", changesBehaviour: true },
  { field: "disableModelInvocation", key: "disable-model-invocation", changesBehaviour: true },
  { field: "declaredClass", key: "class" },
  { field: "scope", key: "scope" },
  { field: "disallowedTools", key: "disallowed-tools", changesBehaviour: true },
  { field: "argumentHint", key: "argument-hint" },
  { field: "arguments", key: "arguments", changesBehaviour: true },
  { field: "agent", key: "agent", changesBehaviour: true },
  { field: "model", key: "model", changesBehaviour: true },
  { field: "effort", key: "effort" },
  { field: "shell", key: "shell", changesBehaviour: true },
  { field: "paths", key: "paths", changesBehaviour: true },
  { field: "requiredCapabilities", key: "required_capabilities" },
  { field: "emoji", key: "emoji" },
];
