import { Badge } from "@/components/ui/badge";
import { Section } from "@/components/ui/section";
import { pipelineFlow } from "@/lib/skill-format/pipeline-flow";
import type { PipelineStep } from "@/lib/skill-format/schema";
import { PipelineGraph } from "./pipeline-graph";

/** The steps of a pipeline as it is written, without looking up the skills that it calls. */
export function StepGraph({ steps }: { steps: readonly PipelineStep[] }) {
  const flow = pipelineFlow(steps);
  return (
    <Section title="Steps" level={3} className="gap-2">
      <PipelineGraph
        label="Steps of the pipeline"
        steps={steps.map(({ skillName, toolName }, index) => {
          const calls = skillName === null ? "tool" : "skill";
          const { key = "", inputs = [], usedBy = [], problem = null } = flow[index] ?? {};
          return {
            ...{ index, inputs, usedBy, problem, calls, stepKey: key, href: null },
            name: skillName ?? toolName ?? "",
            chips: <Badge>{calls === "skill" ? "Skill" : "Tool"}</Badge>,
          };
        })}
      />
    </Section>
  );
}
