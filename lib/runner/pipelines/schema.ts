import { z } from "zod";
import { RunState } from "@/lib/runner/schema";
import { SkillClass } from "@/lib/skill-format/schema";

export const PipelineSteps = z.object({
  steps: z.array(
    z.object({
      index: z.number().int().describe("Counts from 0."),
      key: z.string().describe("The name its result is kept under."),
      name: z.string().describe("What the pipeline calls, as it is written."),
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
        .describe("Null until it is started."),
    }),
  ),
});
export type PipelineSteps = z.infer<typeof PipelineSteps>;
