import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";
import { Diagnostic } from "@/lib/skill-format/schema";
import { Skill } from "@/lib/skills/schema";

export const InstallInput = z.strictObject({
  id: z.string().min(1).max(100),
  owner: z.enum(["me", "org"]).default("me"),
  progressId: z.uuid().optional(),
  dependencies: z
    .enum(["include", "ignore"])
    .optional()
    .describe("include (default): with all skills that it needs, or not at all; ignore: without them"),
});
export type InstallInput = z.infer<typeof InstallInput>;

/** A skill that another one needs; `depth` is 1 for what the entry itself needs, and each one follows what needs it. */
export const Dependency = z.object({
  name: z.string(),
  depth: z.number().int(),
  /** listed: installed together with the entry; installed: here already; cycle: it needs itself by way of others. */
  state: z.enum(["listed", "installed", "missing", "blocked", "cycle"]),
  entryId: z.string().nullable(),
  skillId: z.string().nullable(),
  note: z.string().nullable(),
});
export type Dependency = z.infer<typeof Dependency>;

export const DependencyTree = z.object({
  dependencies: z.array(Dependency),
  problems: z.array(z.string()).describe("Why the entry cannot be installed with them, as sentences."),
});
export type DependencyTree = z.infer<typeof DependencyTree>;

export const InstallReport = z.object({
  entryId: z.string(),
  skillId: z.string().nullable(),
  name: z.string(),
  folder: z.string(),
  /** known: these bytes are already installed; refused: see the notes. */
  outcome: z.enum(["installed", "updated", "known", "refused"]),
  files: z.number().int(),
  bytes: z.number().int(),
  /** Incompatibilities: platform, missing programs, tools without counterpart, translated tool names. */
  notes: z.array(Diagnostic),
  commit: z.string(),
  at: IsoTime,
});
export type InstallReport = z.infer<typeof InstallReport>;

export const InstallAnswer = z.object({
  skills: z.array(Skill),
  reports: z.array(InstallReport),
  summary: z.string(),
});
export type InstallAnswer = z.infer<typeof InstallAnswer>;

export const InstallProgress = z.object({
  id: z.string(),
  state: z.enum(["running", "done", "failed"]),
  done: z.number().int(),
  total: z.number().int(),
  current: z.string().nullable(),
  error: z.string().nullable(),
});
export type InstallProgress = z.infer<typeof InstallProgress>;
