import { z } from "zod";
import { pageOf } from "@/lib/core/schema";
import { RequirementState, Stage } from "@/lib/policy/eligibility/schema";
import { WorkerAllowance } from "@/lib/policy/worker-allowance";
import { Rival, SkillScope } from "../schema";

/** An agent token, or a persona that no live token acts under, and why it does or does not see a skill. */
export const Viewer = z.object({
  kind: z.enum(["agent", "persona"]),
  id: z.string(),
  name: z.string(),
  /** Whose agent it is; null for a persona. */
  person: z.string().nullable(),
  persona: z.object({ id: z.string(), name: z.string(), permissionMode: z.string() }),
  sees: z.boolean(),
  /** The reason of the first stage that is not passed, else of the last. */
  reason: z.string(),
  stages: z.array(Stage),
  /** What asking for a run leads to; null for what is not run. */
  run: z.object({ outcome: z.enum(["start", "confirm", "park", "refuse"]), reason: z.string() }).nullable(),
});
export type Viewer = z.infer<typeof Viewer>;

const Ability = z.object({
  may: z.boolean(),
  /** Why not; null when they may. */
  whyNot: z.string().nullable(),
});

/** What the operator of each worker that has connected allows its runs. */
export const WorkerAllowanceList = pageOf(
  z.object({
    id: z.string(),
    name: z.string(),
    manager: z.boolean(),
    online: z.boolean(),
    /** False: it is of a release that does not say what it allows, so it gets no run that needs more than the sandbox. */
    saysAllows: z.boolean(),
    allows: WorkerAllowance,
  }),
);
export type WorkerAllowanceList = z.infer<typeof WorkerAllowanceList>;

/** Approved skills that no worker may serve, and what which worker does not allow. */
export const UnservedSkills = z.object({
  items: z.array(
    z.object({
      skill: z.object({ id: z.string(), name: z.string() }),
      versionDigest: z.string(),
      builtin: z.boolean().describe("A built-in of the release."),
      missing: z.array(
        z.object({
          worker: z.object({ id: z.string(), name: z.string(), saysAllows: z.boolean() }),
          what: z.string().describe("Such as: the path /srv/data."),
          variable: z
            .string()
            .nullable()
            .describe("Of the worker’s environment, what opens it; null when nothing does."),
        }),
      ),
    }),
  ),
  more: z.number().int().describe("How many there are beyond those that are listed."),
});
export type UnservedSkills = z.infer<typeof UnservedSkills>;

/** Who sees a skill, and why not. */
export const SkillAccess = z.object({
  skill: z.object({ id: z.string(), name: z.string() }),
  /** The people who see it, as a sentence. */
  people: z.string(),
  /** In which of the caller’s scopes it lies. */
  scope: SkillScope.nullable(),
  shadowedBy: Rival.nullable(),
  shadows: z.array(Rival),
  /** What holds for every agent: the switch, its requirements, and what is there to meet them. */
  stages: z.array(Stage),
  requirements: z.array(RequirementState),
  /** `command` is for people to copy; null when it cannot be written safely. Nothing is installed by itself. */
  install: z.array(
    z.object({
      kind: z.string(),
      label: z.string(),
      bins: z.array(z.string()),
      command: z.string().nullable(),
    }),
  ),
  /** The admin’s override that applies, and what it was found by. */
  override: z.object({ by: z.enum(["name", "folder", "location"]), key: z.string() }).nullable(),
  /** What an override can name it by. */
  address: z.object({
    name: z.string(),
    folder: z.string(),
    location: z.string().describe("As agents are told of it."),
    source: z.string().describe("Where its files came from, else owner and name; of this skill alone."),
  }),
  /** The caller’s agents; for admins everybody’s, and personas without any. */
  viewers: z.array(Viewer),
  /** There are more agents than are listed. */
  more: z.number().int(),
  adoption: Ability.extend({ adopted: z.boolean(), adopters: z.number().int() }),
  publish: Ability.extend({ published: z.object({ id: z.string(), approved: z.boolean() }).nullable() }),
  mayUnlist: z.boolean(),
});
export type SkillAccess = z.infer<typeof SkillAccess>;
