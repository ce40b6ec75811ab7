import { z } from "zod";
import { pageOf } from "@/lib/core/schema";
import { RequirementState, Stage } from "@/lib/policy/eligibility/schema";
import { WorkerAllowance } from "@/lib/policy/worker-allowance";
import { Rival, SkillScope } from "../schema";

/** An agent token, or a persona without a live token, and why it sees a skill or not. */
export const Viewer = z.object({
  kind: z.enum(["agent", "persona"]),
  id: z.string(),
  name: z.string(),
  person: z.string().nullable(),
  persona: z.object({ id: z.string(), name: z.string(), permissionMode: z.string() }),
  sees: z.boolean(),
  reason: z.string(),
  stages: z.array(Stage),
  /** Result of requesting a run; null for skills that are not run. */
  run: z.object({ outcome: z.enum(["start", "confirm", "park", "refuse"]), reason: z.string() }).nullable(),
});
export type Viewer = z.infer<typeof Viewer>;

const Ability = z.object({
  may: z.boolean(),
  whyNot: z.string().nullable(),
});

/** What the operator of each registered worker allows runs to use. */
export const WorkerAllowanceList = pageOf(
  z.object({
    id: z.string(),
    name: z.string(),
    manager: z.boolean(),
    online: z.boolean(),
    /** False for older releases, which report no allowances: such a worker gets only runs that stay in the sandbox. */
    saysAllows: z.boolean(),
    allows: WorkerAllowance,
  }),
);
export type WorkerAllowanceList = z.infer<typeof WorkerAllowanceList>;

/** Approved skills that no worker may run, with the missing allowances of each worker. */
export const UnservedSkills = z.object({
  items: z.array(
    z.object({
      skill: z.object({ id: z.string(), name: z.string() }),
      versionDigest: z.string(),
      builtin: z.boolean().describe("A built-in of the release."),
      missing: z.array(
        z.object({
          worker: z.object({ id: z.string(), name: z.string(), saysAllows: z.boolean() }),
          what: z.string().describe("For example “the path /srv/data”."),
          variable: z
            .string()
            .nullable()
            .describe("Environment variable of the worker that allows it; null when none does."),
        }),
      ),
    }),
  ),
  more: z.number().int().describe("Number of skills that are not listed."),
});
export type UnservedSkills = z.infer<typeof UnservedSkills>;

export const SkillAccess = z.object({
  skill: z.object({ id: z.string(), name: z.string() }),
  people: z.string(),
  scope: SkillScope.nullable(),
  shadowedBy: Rival.nullable(),
  shadows: z.array(Rival),
  /** Stages that apply to every agent: enabled, requirements, and what meets them. */
  stages: z.array(Stage),
  requirements: z.array(RequirementState),
  /** `command` is for people to copy; null when it cannot be written safely. The server installs nothing. */
  install: z.array(
    z.object({
      kind: z.string(),
      label: z.string(),
      bins: z.array(z.string()),
      command: z.string().nullable(),
    }),
  ),
  override: z.object({ by: z.enum(["name", "folder", "location"]), key: z.string() }).nullable(),
  address: z.object({
    name: z.string(),
    folder: z.string(),
    location: z.string().describe("The location that agents see."),
    source: z.string().describe("Origin of its files, else owner and name; unique for this skill."),
  }),
  /** The caller's agents; for admins all agents, and personas without any. */
  viewers: z.array(Viewer),
  more: z.number().int(),
  adoption: Ability.extend({ adopted: z.boolean(), adopters: z.number().int() }),
  publish: Ability.extend({ published: z.object({ id: z.string(), approved: z.boolean() }).nullable() }),
  mayUnlist: z.boolean(),
});
export type SkillAccess = z.infer<typeof SkillAccess>;
