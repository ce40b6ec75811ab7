import { z } from "zod";
import { RunState } from "@/lib/runner/schema";
import { SkillClass } from "@/lib/skill-format/schema";

const InputOrigin = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("argument"), name: z.string() }),
  z.object({ kind: z.literal("step"), step: z.number().int(), name: z.string() }),
]);

export const PipelineSteps = z.object({
  steps: z.array(
    z.object({
      index: z.number().int().describe("Position of the step, from 0."),
      key: z.string().describe("The key of its result in the result of the pipeline."),
      name: z.string().describe("The skill or tool that it calls, as the pipeline names it."),
      calls: z.enum(["skill", "tool"]),
      inputs: z
        .array(
          z.object({
            argument: z.string(),
            value: z.unknown().describe("As the pipeline writes it, with `{placeholders}`."),
            origins: z.array(InputOrigin).describe("The arguments of the pipeline and results of steps in it."),
            isWhole: z.boolean().describe("Whether the value is exactly its one origin."),
          }),
        )
        .describe("What the step gets."),
      usedBy: z.array(z.number().int()).describe("Later steps that use its result, from 0."),
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
