import type { z } from "zod";
import type { Grants } from "@/lib/policy/grants/schema";
import type { JsonObject, SkillClass } from "@/lib/skill-format/schema";

/**
 * The metadata of a built-in, from which the build makes its `skill.json` and its line in the release manifest. Default
 * class: `safe` (with a warning of the build); default scope: `host`. A schema is a function so that the program on disk,
 * which is bundled from `execute` alone, does not include zod; a schema object is copied unchanged.
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
  grants?: Omit<Grants, "timeoutSeconds">;
  timeoutSeconds?: number;
  context?: "edges" | "changes";
};

/** The environment of a built-in. Tests pass their own. */
export type BuiltinIo = {
  env: Record<string, string | undefined>;
  programDirs: string[];
  /** Directories of the host it may read; null in a sandbox, where the mounts decide. */
  roots: string[] | null;
  workspace: string;
  context: unknown;
};

/** An error for the caller, one sentence: it goes to stderr, and the exit code is 1. */
export class BuiltinError extends Error {}

/** Limits a text to `maxChars` characters, ending with "…" when it was longer. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`;
}
