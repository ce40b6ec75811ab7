"use client";

import { useQuery } from "@tanstack/react-query";
import { RevealedText } from "@/components/code/hidden-notice";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { ClassChip } from "@/components/ui/class-chip";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { pipelinePlanQuery } from "@/lib/client/pipelines";
import { pipelineFlow, type StepFlow } from "@/lib/skill-format/pipeline-flow";
import type { PipelinePlan as Plan } from "@/lib/skills/pipeline/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { type GraphStep, PipelineGraph } from "./pipeline-graph";
import { GraphSkeleton } from "./run-steps";

type PipelinePlanProps = {
  version: Version;
  level?: 2 | 3;
  /** Arguments to preview what each step would get. */
  args?: Readonly<Record<string, unknown>>;
};

/** The skills and tools that the steps would call now, their combined permissions and problems. Renders nothing without steps. */
export function PipelinePlan({ version, level = 2, args = {} }: PipelinePlanProps) {
  const { kind, steps } = version.manifest;
  const isPipeline = kind === "pipeline" && steps.length > 0;
  const query = useQuery({ ...pipelinePlanQuery(version.skillId, version.digest), enabled: isPipeline });
  if (!isPipeline) return null;
  return (
    <Section title="Steps" level={level} className="gap-2">
      <QueryState query={query} loading={<GraphSkeleton />} errorTitle="The steps could not be loaded.">
        {(plan) => <Content plan={plan} flow={pipelineFlow(steps)} args={args} />}
      </QueryState>
    </Section>
  );
}

type ContentProps = { plan: Plan; flow: readonly StepFlow[]; args: Readonly<Record<string, unknown>> };

function Content({ plan, flow, args }: ContentProps) {
  const { class: highest, capabilities, problems, steps } = plan;
  // A problem of one step stands at that step.
  const general = problems.filter(({ message }) => steps.every(({ problem }) => problem !== message));
  return (
    <>
      <p className="flex flex-wrap items-center gap-1.5 text-13">
        Combined: <ClassChip value={highest} />
        {capabilities.map((name) => (
          <Badge key={name}>
            <RevealedText text={name} />
          </Badge>
        ))}
      </p>
      {problems.length > 0 ? (
        <Notice tone="danger" title="This pipeline cannot run">
          <ul className="[overflow-wrap:anywhere]">
            {general.map(({ message }) => (
              <li key={message}>
                <RevealedText text={message} />
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      <PipelineGraph
        label="Steps of the pipeline"
        steps={steps.map((step) => stepOf(step, flow[step.index]))}
        args={args}
      />
    </>
  );
}

function stepOf(step: Plan["steps"][number], flow: StepFlow | undefined): GraphStep {
  const { index, key, name, calls, skill, capabilities, problem } = step;
  const { inputs = [], usedBy = [] } = flow ?? {};
  return {
    ...{ index, name, calls, inputs, usedBy, stepKey: key, href: skill && `/skills/${encodeURIComponent(skill.id)}` },
    problem: problem ?? flow?.problem ?? null,
    chips: skill ? (
      <>
        <ClassChip value={skill.class} />
        {skill.pipeline ? <Badge>Pipeline</Badge> : null}
      </>
    ) : (
      <Badge tone="warning">Unknown {calls}</Badge>
    ),
    note: capabilities.length > 0 ? `Requires ${capabilities.join(", ")}` : null,
  };
}
