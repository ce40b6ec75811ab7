import { z } from "zod";

/** A note of the skill reader: `code` is stable, `line` counts from 1. */
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

const CLASSES: Record<string, SkillClass> = {
  safe: "safe",
  mutating: "mutating",
  dangerous: "dangerous",
  read: "safe",
  write: "mutating",
  destructive: "dangerous",
};

/** The class for a word (`read`, `write` and `destructive` are older names), or null. */
export function skillClassOf(word: string): SkillClass | null {
  return Object.hasOwn(CLASSES, word) ? (CLASSES[word] ?? null) : null;
}

export const FileMode = z.enum(["644", "755"]);
export type FileMode = z.infer<typeof FileMode>;

export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;

/** When a skill is offered to the model (ongrid). An unknown mode is read as `keyword` without keywords. */
export const Activation = z.object({ mode: z.enum(["always", "keyword"]), keywords: z.array(z.string()) });
export type Activation = z.infer<typeof Activation>;

/** A secret to provide when the skill is installed (ongrid `requires.credentials`). */
export const CredentialSlot = z.object({
  slot: z.string(),
  label: z.string().nullable().default(null),
  fields: z.array(z.string()).default([]),
});
export type CredentialSlot = z.infer<typeof CredentialSlot>;

/** Requirements of all dialects. `invalid`: one could not be read, so the skill is not eligible. */
export const Requirements = z.object({
  bins: z.array(z.string()).default([]),
  anyBins: z.array(z.string()).default([]),
  env: z.array(z.string()).default([]),
  os: z.array(z.string()).default([]),
  config: z.array(z.string()).default([]),
  capabilities: z.array(z.string()).default([]),
  credentials: z.array(CredentialSlot).default([]),
  /** Unknown requirements, such as `anyCapabilities`; any of them makes the skill ineligible. */
  unknown: z.array(z.string()).default([]),
  invalid: z.boolean().default(false),
});
export type Requirements = z.infer<typeof Requirements>;

export const NO_REQUIREMENTS = Requirements.parse({});

/** An installation method for a requirement (OpenClaw, GSV). Shown to people; never executed. */
export const InstallEntry = z.object({
  kind: z.string(),
  id: z.string().nullable().default(null),
  label: z.string().nullable().default(null),
  bins: z.array(z.string()).default([]),
  /** The value of `formula`, `package`, `module`, `url` or `command`. */
  target: z.string().nullable().default(null),
});
export type InstallEntry = z.infer<typeof InstallEntry>;

/** A step of a pipeline (OpenJarvis `[[skill.steps]]`): a tool or another skill. */
export const PipelineStep = z.object({
  toolName: z.string().nullable().default(null),
  skillName: z.string().nullable().default(null),
  /** JSON with `{placeholder}`s, as written. */
  argumentsTemplate: z.string().default("{}"),
  outputKey: z.string().nullable().default(null),
});
export type PipelineStep = z.infer<typeof PipelineStep>;

/** An optimizer's file beside a skill (OpenJarvis `optimized.toml`). */
export const Overlay = z.object({
  optimizer: z.string().nullable().default(null),
  optimizedAt: z.string().nullable().default(null),
  traceCount: z.number().nullable().default(null),
  description: z.string().nullable().default(null),
  fewShot: z.array(z.object({ input: z.string(), output: z.string() })).default([]),
});
export type Overlay = z.infer<typeof Overlay>;

/** How Codex shows a skill (`agents/openai.yaml`, `interface`). Icons are paths inside the folder, never fetched. */
export const AgentInterface = z.object({
  displayName: z.string().nullable().default(null),
  shortDescription: z.string().nullable().default(null),
  defaultPrompt: z.string().nullable().default(null),
  brandColor: z.string().nullable().default(null),
  iconSmall: z.string().nullable().default(null),
  iconLarge: z.string().nullable().default(null),
});
export type AgentInterface = z.infer<typeof AgentInterface>;

/** A tool that the skill defines (ongrid `tools[]`). */
export const DeclaredTool = z.object({
  name: z.string(),
  impl: z.string().nullable().default(null),
  class: z.enum(["safe", "mutating", "dangerous"]),
  description: z.string().nullable().default(null),
  whenToUse: z.string().nullable().default(null),
  confirmation: z.string().nullable().default(null),
  timeoutSeconds: z.number().nullable().default(null),
});
export type DeclaredTool = z.infer<typeof DeclaredTool>;

/** A file that is executed: `client` by a client itself, `hand` when a person or an agent starts it. */
export const Executable = z.object({ path: z.string(), by: z.enum(["client", "hand"]), what: z.string() });
export type Executable = z.infer<typeof Executable>;

/** What a skill's files say, in any dialect. Newer fields have defaults, so that stored manifests still parse. */
export const SkillManifest = z.object({
  kind: z.enum(["playbook", "pack", "pipeline"]),
  name: z.string(),
  slug: z.string(),
  toolName: z.string(),
  label: z.string().nullable(),
  description: z.string(),
  whenToUse: z.string().nullable(),
  /** The class that the author declared; null if none. */
  declaredClass: SkillClass.nullable(),
  scope: z.enum(["manager", "host"]),
  category: z.string(),
  resultPreview: z.string().nullable(),
  /** JSON Schema 2020-12 of the arguments; null for playbooks. */
  schema: JsonObject.nullable(),
  author: z.string().nullable(),
  version: z.string().nullable(),
  license: z.string().nullable(),
  compatibility: z.string().nullable(),
  homepage: z.string().nullable(),
  always: z.boolean(),
  tags: z.array(z.string()),
  /** The non-empty `requirements`, and other programs' top-level requirements. */
  requires: JsonObject,
  depends: z.array(z.string()),
  userInvocable: z.boolean(),
  disableModelInvocation: z.boolean(),
  /** Patterns as written (`Bash(git add:*)`); null without a list. */
  allowedTools: z.array(z.string()).nullable(),
  contextFork: z.boolean(),
  /** Path of the executable inside the folder; null if none. */
  entry: z.string().nullable(),
  envAllow: z.array(z.string()),
  timeoutSeconds: z.number().nullable(),
  /** The playbook after the frontmatter; empty for packs without a SKILL.md. */
  body: z.string(),
  /** Fields that the manifest lacks or represents only in part, as written. */
  meta: JsonObject,

  /** Tools that are denied while the skill is active; null without a list. */
  disallowedTools: z.array(z.string()).nullable().default(null),
  /** Hint for the text after the skill's name, as written (`[file] [language]`). */
  argumentHint: z.string().nullable().default(null),
  arguments: z.array(z.string()).default([]),
  agent: z.string().nullable().default(null),
  model: z.string().nullable().default(null),
  effort: z.string().nullable().default(null),
  /** Commands that an agent runs at events. Also kept in `meta.hooks`. */
  hooks: JsonObject.nullable().default(null),
  shell: z.string().nullable().default(null),
  inlineCommands: z.array(z.string()).default([]),
  paths: z.array(z.string()).default([]),
  activation: Activation.nullable().default(null),
  requirements: Requirements.default(NO_REQUIREMENTS),
  install: z.array(InstallEntry).default([]),
  emoji: z.string().nullable().default(null),
  /** Capabilities that the author declares (OpenJarvis). */
  requiredCapabilities: z.array(z.string()).default([]),
  steps: z.array(PipelineStep).default([]),
  overlay: Overlay.nullable().default(null),
  interface: AgentInterface.nullable().default(null),
  tools: z.array(DeclaredTool).default([]),
  /** The author's signature over the files, as written (docs/reviewers.md); null if not signed. */
  signature: z.string().nullable().default(null),
  /** Files that a client or host executes. Updated by scans with newer rules. */
  carries: z.array(Executable).default([]),
});
export type SkillManifest = z.infer<typeof SkillManifest>;

export const EMPTY_MANIFEST = SkillManifest.parse({
  kind: "playbook",
  name: "",
  slug: "",
  toolName: "",
  label: null,
  description: "",
  whenToUse: null,
  declaredClass: null,
  scope: "manager",
  category: "external",
  resultPreview: null,
  schema: null,
  author: null,
  version: null,
  license: null,
  compatibility: null,
  homepage: null,
  always: false,
  tags: [],
  requires: {},
  depends: [],
  userInvocable: true,
  disableModelInvocation: false,
  allowedTools: null,
  contextFork: false,
  entry: null,
  envAllow: [],
  timeoutSeconds: null,
  body: "",
  meta: {},
});

/** Whether a run executes the steps. A pack with an entry runs that instead. */
export function isPipeline({ kind, steps, entry }: Pick<SkillManifest, "kind" | "steps" | "entry">): boolean {
  return kind === "pipeline" && steps.length > 0 && entry === null;
}
