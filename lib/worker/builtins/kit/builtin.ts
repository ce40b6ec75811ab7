import type { z } from "zod";
import type { Grants } from "@/lib/policy/grants/schema";
import type { JsonObject, SkillClass } from "@/lib/skill-format/schema";

/**
 * What a built-in says of itself; the build makes its `skill.json` and its line in the release manifest of it. Left out,
 * the class is `safe` (the build warns) and the scope `host`. A schema is made by a function so that the program on disk,
 * which is bundled from `execute` alone, does not carry zod; one that is an object is kept to the letter.
 */
export type BuiltinMetadata = {
  name: string;
  label: string;
  description: string;
  class?: SkillClass;
  scope?: "host" | "manager";
  category: string;
  schema: (() => z.ZodType) | JsonObject;
  resultPreview: string;
  /** What the release's approval gives it. */
  grants?: Omit<Grants, "timeoutSeconds">;
  /** The default is 30. */
  timeoutSeconds?: number;
  /** What the server adds from its own tables, as `io.context`. */
  context?: "edges" | "changes";
};

/** What a built-in works with. Tests hand in their own. */
export type BuiltinIo = {
  env: Record<string, string | undefined>;
  /** Where programs are looked for, the first first. */
  programDirs: string[];
  /** Directories of the host it may read; null in a sandbox, where what is mounted decides. */
  roots: string[] | null;
  /** The session's directory. */
  workspace: string;
  context: unknown;
};

/** One sentence for whoever asked: it goes to stderr, and the exit code is 1. */
export class BuiltinError extends Error {}

/** At most so many characters, with a sign at the end when there were more. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`;
}
