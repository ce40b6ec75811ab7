import { z } from "zod";

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

const CLASSES: Record<string, SkillClass> = {
  safe: "safe",
  mutating: "mutating",
  dangerous: "dangerous",
  read: "safe",
  write: "mutating",
  destructive: "dangerous",
};

/** The class that a word means (`read`, `write` and `destructive` are older words), or null for any other word. */
export function skillClassOf(word: string): SkillClass | null {
  return Object.hasOwn(CLASSES, word) ? (CLASSES[word] ?? null) : null;
}

export const FileMode = z.enum(["644", "755"]);
export type FileMode = z.infer<typeof FileMode>;

export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;

/** When a skill is offered to the model (ongrid). A mode that nobody knows is read as `keyword` without keywords. */
export const Activation = z.object({ mode: z.enum(["always", "keyword"]), keywords: z.array(z.string()) });
export type Activation = z.infer<typeof Activation>;

/** A slot for a secret that somebody binds when the skill is installed (ongrid `requires.credentials`). */
export const CredentialSlot = z.object({
  slot: z.string(),
  label: z.string().nullable().default(null),
  fields: z.array(z.string()).default([]),
});
export type CredentialSlot = z.infer<typeof CredentialSlot>;

/**
 * What a skill needs around it, from all dialects together. `invalid` means that a requirement could not be read: the skill
 * must then count as not eligible, because a requirement that is lost would otherwise be no requirement.
 */
export const Requirements = z.object({
  bins: z.array(z.string()).default([]),
  /** One of them is enough. */
  anyBins: z.array(z.string()).default([]),
  env: z.array(z.string()).default([]),
  os: z.array(z.string()).default([]),
  config: z.array(z.string()).default([]),
  /** Capability ids such as `shell.exec` (GSV). */
  capabilities: z.array(z.string()).default([]),
  credentials: z.array(CredentialSlot).default([]),
  /** Names of requirements that nobody here knows, such as `anyCapabilities`; as long as there is one, the skill is not eligible. */
  unknown: z.array(z.string()).default([]),
  invalid: z.boolean().default(false),
});
export type Requirements = z.infer<typeof Requirements>;

export const NO_REQUIREMENTS = Requirements.parse({});

/** One way to install what a skill requires (OpenClaw, GSV). Shown to people; never executed. */
export const InstallEntry = z.object({
  kind: z.string(),
  id: z.string().nullable().default(null),
  label: z.string().nullable().default(null),
  bins: z.array(z.string()).default([]),
  /** What the package manager is asked for: `formula`, `package`, `module`, `url` or `command`. */
  target: z.string().nullable().default(null),
});
export type InstallEntry = z.infer<typeof InstallEntry>;

/** One step of a pipeline (OpenJarvis `[[skill.steps]]`): a tool or another skill. */
export const PipelineStep = z.object({
  toolName: z.string().nullable().default(null),
  skillName: z.string().nullable().default(null),
  /** JSON with `{placeholder}`s, as written. */
  argumentsTemplate: z.string().default("{}"),
  outputKey: z.string().nullable().default(null),
});
export type PipelineStep = z.infer<typeof PipelineStep>;

/** What an optimiser wrote beside a skill (OpenJarvis `optimized.toml`). */
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

/** A tool that the skill brings (ongrid `tools[]`). `class` is in the words of this product. */
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

/** A file that a client or host executes: `client` by itself, `hand` when a person or an agent starts it (scripts, programs). */
export const Executable = z.object({ path: z.string(), by: z.enum(["client", "hand"]), what: z.string() });
export type Executable = z.infer<typeof Executable>;

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
  carries: z.array(Executable).default([]),
});
export type SkillManifest = z.infer<typeof SkillManifest>;

/** What is true of a skill that says nothing. */
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

/** Whether running the skill means running its steps. A pack with an entry runs that, whatever else its files say. */
export function isPipeline({ kind, steps, entry }: Pick<SkillManifest, "kind" | "steps" | "entry">): boolean {
  return kind === "pipeline" && steps.length > 0 && entry === null;
}
