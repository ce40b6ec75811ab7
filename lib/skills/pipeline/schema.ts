import { z } from "zod";
import { JsonObject, SkillClass } from "@/lib/skill-format/schema";

export const PipelineStepPlan = z.object({
  index: z.number().int().describe("From 0."),
  key: z.string().describe("Key of its result; `step-1` and so on by default."),
  name: z.string().describe("Name of the called skill or tool, as written."),
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
  capabilities: z.array(z.string()).describe("Required by its skill and all skills that it calls."),
  problem: z.string().nullable().describe("Why this step cannot run now."),
});
export type PipelineStepPlan = z.infer<typeof PipelineStepPlan>;

/** Plan of a pipeline for the caller. `class`: the highest of its own and of all steps. */
export const PipelinePlan = z.object({
  class: SkillClass,
  schema: JsonObject,
  steps: z.array(PipelineStepPlan),
  capabilities: z.array(z.string()).describe("Required by all steps together."),
  problems: z.array(z.object({ code: z.string(), message: z.string() })).describe("Why it cannot run as a whole."),
});
export type PipelinePlan = z.infer<typeof PipelinePlan>;
