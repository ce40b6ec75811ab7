import { z } from "zod";

export const HiddenReason = z
  .enum([
    "unlisted",
    "unapproved",
    "persona",
    "mode",
    "scope",
    "confirmation",
    "pipeline",
    "override",
    "requirements",
    "runtime",
    "schema",
    "name",
    "model-invocation",
    "keyword",
  ])
  .describe(
    "unlisted: an admin blocked it; unapproved: it has no approved version for this caller; persona: the persona’s lists exclude it; mode: the persona’s permission mode refuses its class; scope: it can only be run, and the token may not run; confirmation: a person must confirm each run, and this client cannot ask one; pipeline: a step of it cannot be called; override: an admin hides it; requirements: they cannot be read; runtime: a requirement is not met; schema: its argument schema is invalid; name: another skill has priority for its name; model-invocation: only people may start it; keyword: the message contains none of its keywords.",
  );
export type HiddenReason = z.infer<typeof HiddenReason>;

export const OfferedSkill = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  whenToUse: z.string().nullable(),
  always: z.boolean(),
  location: z.string().describe("Path of its main file; overrides can name the skill by it."),
  readPath: z.string().describe("The path for read_skill_file, without the owner."),
  uri: z.string().describe("MCP resource address of its main file."),
  digest: z.string(),
  class: z.enum(["safe", "mutating", "dangerous"]),
  runnable: z.boolean(),
  toolName: z.string().nullable(),
  contextFork: z.boolean(),
  userInvocable: z.boolean(),
  argumentHint: z.string().nullable(),
  arguments: z.array(z.string()).describe("Names of positional arguments."),
  allowedTools: z.array(z.string()).nullable(),
  keywords: z.array(z.string()).nullable().describe("Listed only when a message contains one of these; null: always."),
  overlay: z
    .object({
      optimizer: z.string().nullable(),
      fewShot: z.array(z.object({ input: z.string(), output: z.string() })),
    })
    .nullable()
    .describe("An optimiser's overlay; `description` already is the overlay's."),
});
export type OfferedSkill = z.infer<typeof OfferedSkill>;
