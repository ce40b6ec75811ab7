import { z } from "zod";
import type { Scope } from "@/lib/core/actor";
import { JsonObject } from "@/lib/skill-format/schema";

const MAX_NAME_CHARS = 64;
const NAME = z.string().min(1).max(200).describe("Name of the skill, as listed.");

export const UseSkillInput = z.strictObject({
  name: NAME,
  arguments: z
    .string()
    .max(10_000)
    .optional()
    .describe("Arguments of the playbook, as one line; quotes keep words together."),
});
export type UseSkillInput = z.infer<typeof UseSkillInput>;

export const ReadSkillFileInput = z.strictObject({
  name: NAME.optional().describe("Name of the skill; by default the first part of the path."),
  path: z.string().min(1).max(500).describe("Path inside the skill’s folder, or a read_path as listed."),
  digest: z.string().max(100).optional().describe("Digest of an approved version; by default the active one."),
});
export type ReadSkillFileInput = z.infer<typeof ReadSkillFileInput>;

export const SaveSkillInput = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "lower-case letters, digits and single hyphens")
    .describe("New name: lower-case words joined by hyphens."),
  description: z.string().trim().min(1).max(1024).describe("What it does and when to use it."),
  body: z
    .string()
    .min(1)
    .max(256 * 1024)
    .describe("The playbook in Markdown, without frontmatter."),
  whenToUse: z.string().trim().max(1024).optional(),
  allowedTools: z.array(z.string().trim().min(1).max(200)).max(100).optional(),
});
export type SaveSkillInput = z.infer<typeof SaveSkillInput>;

export const ListSkillsInput = z.strictObject({
  query: z.string().max(200).optional().describe("Words to find in name, description or tags."),
  mode: z.enum(["summary", "names"]).default("summary"),
});
export type ListSkillsInput = z.infer<typeof ListSkillsInput>;

export const GetRunInput = z.strictObject({
  id: z.string().min(1).max(100),
  after: z.number().int().min(0).default(0).describe("Return only events after this number."),
});
export type GetRunInput = z.infer<typeof GetRunInput>;

type Tool = {
  title: string;
  description: string;
  input: z.ZodObject;
  scope: Scope;
  isReading: boolean;
  isIdempotent: boolean;
};

/** Tools that every agent is offered. No skill can use their names. */
export const BUILT_IN_TOOLS = {
  use_skill: {
    title: "Use a skill",
    description:
      "Loads the playbook of a skill. Use it before you begin a task that fits a skill’s description. While the skill is active, only the tools it allows may be called; loading another skill replaces the limit.",
    input: UseSkillInput,
    scope: "read",
    isReading: true,
    isIdempotent: true,
  },
  read_skill_file: {
    title: "Read a file of a skill",
    description: "Returns the exact text of one file in a skill’s folder, such as a reference that its playbook names.",
    input: ReadSkillFileInput,
    scope: "read",
    isReading: true,
    isIdempotent: true,
  },
  save_skill: {
    title: "Save a skill",
    description:
      "Saves what you learned as a new skill. A person reviews it before agents can use it. An approved skill of that name stays active until then.",
    input: SaveSkillInput,
    scope: "write",
    isReading: false,
    isIdempotent: true,
  },
  list_skills: {
    title: "List skills",
    description: "Lists the skills you are offered, optionally only those that match a query.",
    input: ListSkillsInput,
    scope: "read",
    isReading: true,
    isIdempotent: true,
  },
  get_run: {
    title: "Get a run",
    description:
      "Returns the state, the result and the log of a run you asked for, also while it runs or waits for approval.",
    input: GetRunInput,
    scope: "read",
    isReading: true,
    isIdempotent: true,
  },
} as const satisfies Record<string, Tool>;

export type BuiltInToolName = keyof typeof BUILT_IN_TOOLS;

export function isBuiltInTool(name: string): name is BuiltInToolName {
  return Object.hasOwn(BUILT_IN_TOOLS, name);
}

/** The tool name of a skill: its own, with a prefix when a built-in tool has that name. */
export function skillToolName(toolName: string): string {
  return isBuiltInTool(toolName) ? `skill_${toolName}`.slice(0, MAX_NAME_CHARS) : toolName;
}

export function builtInToolSchema(name: BuiltInToolName): JsonObject {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(BUILT_IN_TOOLS[name].input, { io: "input" });
  return JsonObject.parse(schema);
}
