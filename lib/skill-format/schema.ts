import { z } from "zod";
import {
  Activation,
  AgentInterface,
  Carried,
  DeclaredTool,
  InstallEntry,
  NO_REQUIREMENTS,
  Overlay,
  PipelineStep,
  Requirements,
} from "./manifest/manifest-parts";

/** Something the reader noticed: `code` is stable, `line` counts from 1. */
export const Diagnostic = z.object({
  code: z.string(),
  severity: z.enum(["info", "warning", "error"]),
  path: z.string().optional(),
  line: z.number().int().positive().optional(),
  message: z.string(),
});
export type Diagnostic = z.infer<typeof Diagnostic>;

export const SkillClass = z.enum(["safe", "mutating", "dangerous"]);
export type SkillClass = z.infer<typeof SkillClass>;

export const FileMode = z.enum(["644", "755"]);
export type FileMode = z.infer<typeof FileMode>;

export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;

/**
 * What a skill's files say about it, whatever dialect they are written in. Never written back into files. Fields that came
 * later have defaults, so that every stored manifest still parses.
 */
export const SkillManifest = z.object({
  kind: z.enum(["playbook", "pack", "pipeline"]),
  name: z.string(),
  slug: z.string(),
  toolName: z.string(),
  label: z.string().nullable(),
  description: z.string(),
  whenToUse: z.string().nullable(),
  /** The class the author declared; null when the files do not say. */
  declaredClass: SkillClass.nullable(),
  scope: z.enum(["manager", "host"]),
  category: z.string(),
  resultPreview: z.string().nullable(),
  /** JSON Schema 2020-12 of the arguments; null when the skill takes no arguments through a form (playbooks). */
  schema: JsonObject.nullable(),
  author: z.string().nullable(),
  version: z.string().nullable(),
  license: z.string().nullable(),
  compatibility: z.string().nullable(),
  homepage: z.string().nullable(),
  always: z.boolean(),
  tags: z.array(z.string()),
  /** What `requirements` says, without what is empty, and what other programs require at the top level. */
  requires: JsonObject,
  depends: z.array(z.string()),
  userInvocable: z.boolean(),
  disableModelInvocation: z.boolean(),
  /** Each pattern whole, as written (`Bash(git add:*)`); null when the skill has no such list. */
  allowedTools: z.array(z.string()).nullable(),
  contextFork: z.boolean(),
  /** Path of the executable inside the folder; null when nothing is executed. */
  entry: z.string().nullable(),
  envAllow: z.array(z.string()),
  timeoutSeconds: z.number().nullable(),
  /** The playbook after the frontmatter; empty for packs without a SKILL.md. */
  body: z.string(),
  /** Everything the reader does not model, kept as it was; also what a field above holds only a part of. */
  meta: JsonObject,

  /** Tools the skill takes away while it is active; null when it has no such list. */
  disallowedTools: z.array(z.string()).nullable().default(null),
  /** What a person types after the skill's name, as written (`[file] [language]`). */
  argumentHint: z.string().nullable().default(null),
  /** Names of positional arguments. */
  arguments: z.array(z.string()).default([]),
  agent: z.string().nullable().default(null),
  model: z.string().nullable().default(null),
  effort: z.string().nullable().default(null),
  /** Commands that an agent runs by itself at events. They stay in `meta.hooks` too. */
  hooks: JsonObject.nullable().default(null),
  shell: z.string().nullable().default(null),
  /** Shell commands in the body that Claude Code runs while it loads the skill. */
  inlineCommands: z.array(z.string()).default([]),
  /** Globs of the files that the skill is for. */
  paths: z.array(z.string()).default([]),
  activation: Activation.nullable().default(null),
  requirements: Requirements.default(NO_REQUIREMENTS),
  install: z.array(InstallEntry).default([]),
  emoji: z.string().nullable().default(null),
  /** Capabilities that the author says the skill uses (OpenJarvis). */
  requiredCapabilities: z.array(z.string()).default([]),
  steps: z.array(PipelineStep).default([]),
  overlay: Overlay.nullable().default(null),
  interface: AgentInterface.nullable().default(null),
  tools: z.array(DeclaredTool).default([]),
  /** What the author signed the files with, as written (docs/reviewers.md); null when the files are not signed. */
  signature: z.string().nullable().default(null),
  /** Files that a client or host executes, by path and content. Renewed by each scan with newer rules. */
  carries: z.array(Carried).default([]),
});
export type SkillManifest = z.infer<typeof SkillManifest>;
