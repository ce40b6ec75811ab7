import { z } from "zod";
import { JsonObject, SkillClass } from "@/lib/skill-format/schema";

/** One step of a pipeline with the skill that its name means to the caller now. */
export const PipelineStepPlan = z.object({
  index: z.number().int().describe("Counts from 0."),
  key: z.string().describe("The name its result is kept under; without one, `step-1` and so on."),
  name: z.string().describe("What the pipeline calls, as it is written."),
  calls: z.enum(["skill", "tool"]),
  skill: z
    .object({
      id: z.string(),
      name: z.string(),
      label: z.string().nullable(),
      class: SkillClass,
      pipeline: z.boolean(),
    })
    .nullable(),
  capabilities: z.array(z.string()).describe("What its skill and all below it require."),
  problem: z.string().nullable().describe("Why this step cannot run now."),
});
export type PipelineStepPlan = z.infer<typeof PipelineStepPlan>;

/** What a pipeline would do for the caller now. `class` is the highest of its own and of all its steps. */
export const PipelinePlan = z.object({
  class: SkillClass,
  schema: JsonObject,
  steps: z.array(PipelineStepPlan),
  capabilities: z.array(z.string()).describe("What its steps require together."),
  problems: z.array(z.object({ code: z.string(), message: z.string() })).describe("Why it cannot run as a whole."),
});
export type PipelinePlan = z.infer<typeof PipelinePlan>;
