import { useQuery } from "@tanstack/react-query";
import { Check, Copy } from "lucide-react";
import Link from "next/link";
import { useCallback, useRef } from "react";
import { CodeViewer } from "@/components/code/code-viewer";
import { HiddenNotice, RevealedText } from "@/components/code/hidden-notice";
import { useLineHash } from "@/components/code/use-address-hash";
import { Markdown } from "@/components/markdown/markdown";
import { fileHref } from "@/components/skills/skill-labels";
import { QueryState } from "@/components/state/query-state";
import { useCopy } from "@/components/state/use-copy";
import { useUrlState } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { Digest } from "@/components/ui/digest";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { instructionsQuery } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";
import type { SkillInstructions } from "@/lib/skills/versions/schema";
import { AllowedTools } from "../permission-list";
import { reviewHref, skillHref } from "../skill-labels";
import { OverviewSkeleton } from "./skill-page-skeleton";

export function UseView({ skill }: { skill: Skill }) {
  const query = useQuery({ ...instructionsQuery(skill.id), enabled: skill.currentVersion !== null });
  if (!skill.currentVersion) return <NotApproved skill={skill} />;
  return (
    <QueryState query={query} loading={<OverviewSkeleton />} errorTitle="The instructions could not be loaded.">
      {(instructions) => <Instructions skill={skill} instructions={instructions} />}
    </QueryState>
  );
}

function Instructions({ skill, instructions }: { skill: Skill; instructions: SkillInstructions }) {
  const [view, setView] = useUrlState("as", "rendered");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-3">
        {skill.enabled ? null : (
          <Notice tone="neutral">
            The skill is switched off. Agents get these instructions once you switch it on.
          </Notice>
        )}
        <p className="text-13 text-muted-foreground">
          Agents that connect to this server load these instructions by themselves. For any other agent, copy them into
          its chat, or{" "}
          <Link
            href={`/connect?skill=${encodeURIComponent(skill.id)}`}
            className="text-primary underline underline-offset-2"
          >
            connect it
          </Link>
          .
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <SegmentedControl
            label="Instructions view"
            value={view === "raw" ? "raw" : "rendered"}
            onValueChange={setView}
            options={[
              { value: "rendered", label: "Rendered" },
              { value: "raw", label: "Raw" },
            ]}
          />
          <CopyInstructions text={instructions.instructions} />
        </div>
        {view !== "raw" ? (
          <Rendered skill={skill} instructions={instructions} />
        ) : (
          <Raw text={instructions.instructions.replace(/^\n+/, "")} />
        )}
      </div>
      <aside aria-label="Instructions details" className="flex flex-col gap-6">
        <Section title="Description for agents" level={3} className="gap-1.5 text-13">
          <p>
            <RevealedText text={instructions.description} />
          </p>
          <p className="flex items-center gap-1 text-muted-foreground">
            From the approved version <Digest value={instructions.digest} />
          </p>
        </Section>
        <Section title="Permissions" level={3} className="gap-1.5">
          <AllowedTools allowedTools={instructions.allowedTools} />
        </Section>
        <ResourceList skill={skill} instructions={instructions} />
      </aside>
    </div>
  );
}

function CopyInstructions({ text }: { text: string }) {
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <Button variant="primary" className="ml-auto" onClick={() => void copy(text)}>
      <Icon aria-hidden />
      Copy instructions
      <span role="status" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </Button>
  );
}

function Raw({ text }: { text: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [target, setTarget] = useLineHash();
  return (
    <div
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-[calc(100dvh-12rem)] overflow-y-auto rounded-md border"
    >
      <HiddenNotice text={text} onJump={setTarget} />
      <CodeViewer
        text={text}
        label="Instructions"
        path="SKILL.md"
        target={target}
        onTarget={setTarget}
        scroller={scroller}
      />
    </div>
  );
}

function Rendered({ skill, instructions }: { skill: Skill; instructions: SkillInstructions }) {
  const { resources, digest } = instructions;
  const hrefOf = useCallback(
    (path: string) => (resources.includes(path) ? fileHref(skill.id, path, digest) : null),
    [resources, skill.id, digest],
  );
  return <Markdown text={instructions.instructions} fileHref={hrefOf} className="max-w-[46rem]" />;
}

function NotApproved({ skill }: { skill: Skill }) {
  const { pendingVersion } = skill;
  return (
    <EmptyState
      title="No approved version"
      description={
        pendingVersion
          ? `Version ${pendingVersion.number} is pending review. Agents get a playbook only after a reviewer approves it.`
          : "Agents get a playbook only after a reviewer approves it."
      }
      action={
        <Button asChild>
          <Link
            href={pendingVersion ? reviewHref(skill.id, pendingVersion.digest) : `${skillHref(skill)}?tab=versions`}
          >
            {pendingVersion ? "Open review" : "View versions"}
          </Link>
        </Button>
      }
    />
  );
}

type ResourceListProps = { skill: Pick<Skill, "id">; instructions: SkillInstructions };

function ResourceList({ skill, instructions: { resources, digest } }: ResourceListProps) {
  return (
    <Section title="Other files" level={3} className="gap-1.5">
      {resources.length === 0 ? (
        <p className="text-13 text-muted-foreground">Agents can read no other files of it</p>
      ) : (
        <ul className="flex flex-col gap-1 text-13">
          {resources.map((path) => (
            <li key={path} className="min-w-0">
              <Link
                href={fileHref(skill.id, path, digest)}
                className="font-mono text-primary text-xs hover:underline [overflow-wrap:anywhere]"
              >
                <RevealedText text={path} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
