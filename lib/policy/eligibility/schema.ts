import { z } from "zod";
import { JsonObject } from "@/lib/skill-format/schema";
import { WorkerAllowance } from "../worker-allowance";

/** What a worker says that it has for skills. Whatever it does not say, it does not have. */
export const WorkerOffers = z.object({
  capabilities: z.array(z.string()).default([]),
  bins: z.array(z.string()).default([]),
  env: z.array(z.string()).default([]),
  /** What its operator allows runs beyond the plain sandbox; a worker that did not say allows nothing. */
  allows: WorkerAllowance.optional(),
});
export type WorkerOffers = z.infer<typeof WorkerOffers>;

/** What an admin says of one skill over what its author wrote. */
export const EligibilityEntry = z.strictObject({
  enabled: z.boolean().optional().describe("False hides the skill from every agent."),
  always: z.boolean().optional().describe("True asks for no requirement, false for all."),
  requires: z
    .strictObject({ capabilities: z.array(z.string().max(64)).max(20) })
    .optional()
    .describe("In place of the author’s capabilities, also when empty."),
});
export type EligibilityEntry = z.infer<typeof EligibilityEntry>;

/** Overrides by name, folder or location of a skill, and the settings that skills may require. */
export const EligibilityPolicy = z.strictObject({
  entries: z.record(z.string().max(300), EligibilityEntry).default({}),
  config: JsonObject.default({}),
});
export type EligibilityPolicy = z.infer<typeof EligibilityPolicy>;

/** One requirement of a skill, and whether it is met. */
export const RequirementState = z.object({
  kind: z.enum(["invalid", "capability", "os", "bin", "any-bin", "env", "config"]),
  name: z.string(),
  met: z.boolean(),
  /** Where it is met, or what would meet it. */
  note: z.string(),
});
export type RequirementState = z.infer<typeof RequirementState>;

/** The stages in their order; the first that is not passed is why. */
const StageName = z.enum(["reach", "persona", "switch", "requirements", "runtime", "name"]);

/** `passed` null: not looked at, since an earlier stage was not passed. */
export const Stage = z.object({ stage: StageName, passed: z.boolean().nullable(), reason: z.string() });
export type Stage = z.infer<typeof Stage>;
