import { z } from "zod";
import { JsonObject } from "@/lib/skill-format/schema";
import { WorkerAllowance } from "../worker-allowance";

/** Whether a worker can execute dry runs; if not, why, as a sentence. `network`: what their connections meet. */
export const AnalysisAbility = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("available"), tracer: z.string().max(100), network: z.enum(["recorder", "refused"]) }),
  z.object({ kind: z.literal("not_available"), reason: z.string().max(500) }),
]);
export type AnalysisAbility = z.infer<typeof AnalysisAbility>;

/** What a worker reports for skills. Unreported features count as missing. */
export const WorkerOffers = z.object({
  capabilities: z.array(z.string()).default([]),
  bins: z.array(z.string()).default([]),
  env: z.array(z.string()).default([]),
  /** Permissions beyond the plain sandbox that the operator allows; absent: none. */
  allows: WorkerAllowance.optional(),
  /** Absent for workers of earlier releases, which cannot. */
  analysis: AnalysisAbility.optional(),
});
export type WorkerOffers = z.infer<typeof WorkerOffers>;

export const EligibilityEntry = z.strictObject({
  enabled: z.boolean().optional().describe("False hides the skill from every agent."),
  always: z.boolean().optional().describe("True skips all requirements, false checks them all."),
  requires: z
    .strictObject({ capabilities: z.array(z.string().max(64)).max(20) })
    .optional()
    .describe("Replaces the author’s capabilities, also when empty."),
});
export type EligibilityEntry = z.infer<typeof EligibilityEntry>;

/** Overrides by name, folder or location of a skill, and the settings that skills may require. */
export const EligibilityPolicy = z.strictObject({
  entries: z.record(z.string().max(300), EligibilityEntry).default({}),
  config: JsonObject.default({}),
});
export type EligibilityPolicy = z.infer<typeof EligibilityPolicy>;

export const RequirementState = z.object({
  kind: z.enum(["invalid", "capability", "os", "bin", "any-bin", "env", "config"]),
  name: z.string(),
  met: z.boolean(),
  /** The worker that meets it, or what is missing. */
  note: z.string(),
});
export type RequirementState = z.infer<typeof RequirementState>;

/** In this order; the first stage that fails is the reason. */
const StageName = z.enum(["reach", "persona", "switch", "requirements", "runtime", "name"]);

/** `passed` is null for stages after the first failed one. */
export const Stage = z.object({ stage: StageName, passed: z.boolean().nullable(), reason: z.string() });
export type Stage = z.infer<typeof Stage>;
