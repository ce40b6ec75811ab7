import { z } from "zod";
import { RunState } from "@/lib/runner/schema";
import { SkillClass } from "@/lib/skill-format/schema";

export const PipelineSteps = z.object({
  steps: z.array(
    z.object({
      index: z.number().int().describe("Position of the step, from 0."),
      key: z.string().describe("The key of its result in the result of the pipeline."),
      name: z.string().describe("The skill or tool that it calls, as the pipeline names it."),
      calls: z.enum(["skill", "tool"]),
      run: z
        .object({
          id: z.string(),
          state: RunState,
          class: SkillClass,
          skill: z.object({ id: z.string(), name: z.string(), label: z.string().nullable() }),
          pipeline: z.boolean(),
          durationMs: z.number().nullable(),
          error: z.string().nullable(),
        })
        .nullable()
        .describe("Null before the step starts."),
    }),
  ),
});
export type PipelineSteps = z.infer<typeof PipelineSteps>;
