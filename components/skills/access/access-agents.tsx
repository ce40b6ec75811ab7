import { Bot, ChevronRight, CircleCheck, CircleMinus, CircleX } from "lucide-react";
import { RevealedText } from "@/components/code/hidden-notice";
import { modeLabels } from "@/components/settings/persona-labels";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { Section } from "@/components/ui/section";
import type { PermissionMode } from "@/lib/client/personas";
import type { SkillAccess, Viewer } from "@/lib/skills/access/schema";
import type { Rival } from "@/lib/skills/schema";
import { countOf } from "../skill-labels";

export function AccessAgents({ access: { viewers, more } }: { access: SkillAccess }) {
  const seeing = viewers.filter(({ sees }) => sees).length;
  return (
    <Section
      title="Agents"
      description={viewers.length > 0 ? `${seeing} of ${countOf(viewers.length, "agent")} can use this skill` : null}
    >
      {viewers.length === 0 ? (
        <EmptyState
          icon={Bot}
          title="No agents yet"
          description="An agent is an API token that acts under a persona. Each agent appears here with the reason why it sees this skill or not."
          className="rounded-md border py-10"
        />
      ) : (
        <ul className="divide-y rounded-md border">
          {viewers.map((viewer) => (
            <li key={`${viewer.kind} ${viewer.id}`}>
              <AgentRow viewer={viewer} isAlone={viewers.length === 1} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 ? <p className="text-muted-foreground text-xs">{countOf(more, "more agent")} not listed.</p> : null}
    </Section>
  );
}

function AgentRow({ viewer, isAlone }: { viewer: Viewer; isAlone: boolean }) {
  const { sees, name, person, persona, reason, stages, run, kind } = viewer;
  return (
    <details open={isAlone} className="group">
      <summary className="flex cursor-pointer list-none items-start gap-3 px-3 py-2.5 text-13 hover:bg-accent/60 focus-visible:-outline-offset-2">
        <StageIcon passed={sees} className="mt-0.5" />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <span className="font-medium">
              <RevealedText text={name} />
            </span>
            <Badge>{modeLabels[persona.permissionMode as PermissionMode].label}</Badge>
            <span className="text-muted-foreground text-xs">
              {kind === "agent" ? (
                <>
                  Agent of <RevealedText text={person ?? ""} />, persona <RevealedText text={persona.name} />
                </>
              ) : (
                "No token acts under this persona yet"
              )}
            </span>
          </span>
          <span className="mt-0.5 block text-muted-foreground">
            <span className="sr-only">{sees ? "Sees this skill. " : "Does not see this skill. "}</span>
            <RevealedText text={reason} />
          </span>
        </span>
        <ChevronRight
          aria-hidden
          className="mt-0.5 size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-90"
        />
      </summary>
      <ol className="flex flex-col gap-2 px-3 pt-1 pb-3 pl-10 text-13">
        {stages.map(({ stage, passed, reason: why }) => (
          <li key={stage} className="flex items-start gap-2">
            <StageIcon passed={passed} className="mt-0.5" />
            <span className="min-w-0">
              {stageNames[stage]}{" "}
              <span className="text-muted-foreground">
                <RevealedText text={why} />
              </span>
            </span>
          </li>
        ))}
        {run && sees ? (
          <li className="border-t pt-2 text-muted-foreground">
            Run requests: <RevealedText text={run.reason} />
          </li>
        ) : null}
      </ol>
    </details>
  );
}

function StageIcon({ passed, className }: { passed: boolean | null; className: string }) {
  const styles = `size-4 shrink-0 ${className}`;
  if (passed === null)
    return <CircleMinus role="img" aria-label="Not checked" className={`${styles} text-muted-foreground`} />;
  return passed ? (
    <CircleCheck role="img" aria-label="Yes" className={`${styles} text-success`} />
  ) : (
    <CircleX role="img" aria-label="No" className={`${styles} text-danger`} />
  );
}

export const scopeNames: Record<Rival["scope"], string> = {
  persona: "of the persona",
  personal: "a personal skill",
  organisation: "of the organisation",
  integration: "of an integration",
  worker: "of a worker",
};

const stageNames: Record<Viewer["stages"][number]["stage"], string> = {
  reach: "Within the agent’s reach",
  persona: "Allowed by persona",
  switch: "Approved and switched on",
  requirements: "Requirements readable",
  runtime: "Requirements met",
  name: "Name means this skill",
};

export const requirementNames: Record<SkillAccess["requirements"][number]["kind"], string> = {
  invalid: "Unreadable requirement",
  capability: "Capability",
  os: "Operating system",
  bin: "Program",
  "any-bin": "One of these programs",
  env: "Environment variable",
  config: "Setting",
};
