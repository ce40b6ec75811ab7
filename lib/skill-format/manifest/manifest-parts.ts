import { z } from "zod";

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

export const NO_REQUIREMENTS: Requirements = {
  bins: [],
  anyBins: [],
  env: [],
  os: [],
  config: [],
  capabilities: [],
  credentials: [],
  unknown: [],
  invalid: false,
};

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
export const Carried = z.object({ path: z.string(), by: z.enum(["client", "hand"]), what: z.string() });
export type Carried = z.infer<typeof Carried>;
