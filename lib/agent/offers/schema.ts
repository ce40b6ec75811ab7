import { z } from "zod";

/** Why a skill that is switched on is not in what an agent starts with. */
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
    "unlisted: an admin took it off the list; persona: the persona’s lists; mode: its permission mode refuses the class; scope: it only runs, and the token may not run; confirmation: a person confirms each run, and this client asks nobody; pipeline: a step of it cannot be called; override: an admin hides it; requirements: they cannot be read; runtime: something it requires is missing; schema: the schema of its arguments is invalid; name: another skill comes first under its name; model-invocation: only people start it; keyword: no keyword was said.",
  );
export type HiddenReason = z.infer<typeof HiddenReason>;

/** A skill that an agent is offered. */
export const OfferedSkill = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  whenToUse: z.string().nullable(),
  always: z.boolean(),
  location: z.string().describe("Path of its main file; an override may name the skill by it."),
  readPath: z.string().describe("The same for read_skill_file: without the part that says whose it is."),
  uri: z.string().describe("Address of its main file as an MCP resource."),
  digest: z.string(),
  class: z.enum(["safe", "mutating", "dangerous"]),
  runnable: z.boolean(),
  toolName: z.string().nullable(),
  contextFork: z.boolean(),
  userInvocable: z.boolean(),
  argumentHint: z.string().nullable(),
  arguments: z.array(z.string()).describe("Names of positional arguments."),
  allowedTools: z.array(z.string()).nullable(),
  keywords: z.array(z.string()).nullable().describe("It is listed only when a message holds one; null: always."),
  overlay: z
    .object({
      optimizer: z.string().nullable(),
      fewShot: z.array(z.object({ input: z.string(), output: z.string() })),
    })
    .nullable()
    .describe("What an optimiser wrote; its description is used already."),
});
export type OfferedSkill = z.infer<typeof OfferedSkill>;
