"use client";

import { useQuery } from "@tanstack/react-query";
import { RevealedText } from "@/components/code/hidden-notice";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { ClassChip } from "@/components/ui/class-chip";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { pipelinePlanQuery } from "@/lib/client/pipelines";
import type { PipelinePlan as Plan } from "@/lib/skills/pipeline/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { type GraphStep, PipelineGraph } from "./pipeline-graph";
import { GraphSkeleton } from "./run-steps";

/** The skills and tools that the steps would call now, their combined permissions and problems. Renders nothing without steps. */
export function PipelinePlan({ version, level = 2 }: { version: Version; level?: 2 | 3 }) {
  const { kind, steps } = version.manifest;
  const isPipeline = kind === "pipeline" && steps.length > 0;
  const query = useQuery({ ...pipelinePlanQuery(version.skillId, version.digest), enabled: isPipeline });
  if (!isPipeline) return null;
  return (
    <Section title="Steps" level={level} className="gap-2">
      <QueryState query={query} loading={<GraphSkeleton />} errorTitle="The steps could not be loaded.">
        {(plan) => <Content plan={plan} />}
      </QueryState>
    </Section>
  );
}

function Content({ plan: { class: highest, capabilities, problems, steps } }: { plan: Plan }) {
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
            {problems.map(({ message }) => (
              <li key={message}>
                <RevealedText text={message} />
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      <PipelineGraph label="Steps of the pipeline" steps={steps.map(stepOf)} />
    </>
  );
}

function stepOf({ index, key, name, calls, skill, capabilities, problem }: Plan["steps"][number]): GraphStep {
  return {
    ...{ index, name, calls, problem, stepKey: key, href: skill && `/skills/${encodeURIComponent(skill.id)}` },
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
