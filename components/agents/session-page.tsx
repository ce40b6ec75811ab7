"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo } from "react";
import { groupByDay } from "@/components/audit/group-by-day";
import { EndOfList } from "@/components/lists/end-of-list";
import { FilterBar, FilterSelect, noFilters, readFilters } from "@/components/lists/filter-bar";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import { QueryState } from "@/components/state/query-state";
import { useNow } from "@/components/state/use-now";
import { useUrlParams } from "@/components/state/use-url-params";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { EmptyState } from "@/components/ui/empty-state";
import { formatDuration, formatExactTime } from "@/components/ui/format-time";
import { RelativeTime } from "@/components/ui/relative-time";
import type { AgentSessionTrace, AgentStepItem, NamedSkill } from "@/lib/agent/sessions/schema";
import { type AgentStepKind, mayStillRun, sessionQuery } from "@/lib/client/agents";
import { describeCounts, detailOf, hasProblem, limitTooltip, stepKinds } from "./step-labels";
import { StepMark } from "./step-mark";

const STEP_FILTER_KEYS = ["kind", "skill"] as const;

export function SessionPage({ sessionId }: { sessionId: string }) {
  const [params, setParams] = useUrlParams();
  const filters = readFilters(params, STEP_FILTER_KEYS);
  const query = useInfiniteQuery(sessionQuery(sessionId, filters));
  const session = query.data?.pages[0];
  const steps = query.data?.pages.flatMap((page) => page.steps.items) ?? [];
  const isFiltered = Object.keys(filters).length > 0;
  useCrumbs([{ label: "Agents", href: "/agents" }, { label: session?.client ?? "Session" }]);
  return (
    <Page
      title={session?.client ?? "Session"}
      aside={session ? <Liveness session={session} /> : null}
      description={session ? describeCounts(session.counts) : undefined}
    >
      <QueryState query={query} errorTitle="The session could not be loaded.">
        {() =>
          session ? (
            <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
              <div className="flex min-w-0 flex-col gap-3">
                <StepFilterBar session={session} kind={filters.kind} />
                {steps.length === 0 ? (
                  <EmptyState
                    title={isFiltered ? "No matching steps" : "No steps yet"}
                    description={isFiltered ? undefined : "Steps appear here as the agent takes them."}
                    action={
                      isFiltered ? (
                        <Button onClick={() => setParams(noFilters(STEP_FILTER_KEYS))}>Show all steps</Button>
                      ) : undefined
                    }
                  />
                ) : (
                  <div>
                    <StepList steps={steps} />
                    <EndOfList query={query} endText="Start of session" />
                  </div>
                )}
              </div>
              <aside aria-label="About this session" className="max-lg:-order-1">
                <SessionFacts session={session} />
              </aside>
            </div>
          ) : null
        }
      </QueryState>
    </Page>
  );
}

function Liveness({ session }: { session: AgentSessionTrace }) {
  const now = useNow();
  if (now === null) return null;
  if (session.endedAt !== null) return <Badge>Ended</Badge>;
  return mayStillRun(session, now) ? <Badge tone="success">Live</Badge> : <Badge>Idle</Badge>;
}

function SessionFacts({ session }: { session: AgentSessionTrace }) {
  const { person, persona, token, startedAt, lastSeenAt, active, takenAway } = session;
  return (
    <DefinitionList
      items={[
        { term: "Acts for", value: person.name ?? "A former user" },
        {
          term: "Persona",
          value: persona ? (
            <Link href={`/agents/view?persona=${persona.id}`} className="text-primary hover:underline">
              {persona.name ?? "A deleted persona"}
            </Link>
          ) : (
            "None"
          ),
        },
        { term: "Token", value: token ? (token.name ?? "Deleted") : "None: signed in" },
        { term: "Started", value: <RelativeTime value={startedAt} /> },
        { term: "Last seen", value: <RelativeTime value={lastSeenAt} /> },
        {
          term: "Active skill",
          value: active ? (
            <>
              <SkillName skill={active.skill} />{" "}
              {active.versionDigest ? <Digest value={active.versionDigest} label="version digest" /> : null}
            </>
          ) : (
            "None"
          ),
        },
        ...(active ? [{ term: "Tool limit", value: <ToolLimit tools={active.tools} /> }] : []),
        ...(takenAway.length > 0 ? [{ term: "Removed tools", value: <ToolNames tools={takenAway} /> }] : []),
        { term: "Session id", value: <code className="break-all font-mono text-xs">{session.id}</code> },
      ]}
    />
  );
}

function SkillName({ skill }: { skill: NamedSkill }) {
  if (skill.name === null) return "A skill you do not see";
  return (
    <Link href={`/skills/${skill.id}`} title={skill.name} className="text-primary hover:underline">
      {skill.label ?? skill.name}
    </Link>
  );
}

function ToolNames({ tools }: { tools: readonly string[] }) {
  return tools.map((tool) => (
    <code key={tool} className="mr-1.5 inline-block break-all rounded-sm border px-1 font-mono text-xs">
      {tool}
    </code>
  ));
}

function ToolLimit({ tools }: { tools: readonly string[] | null }) {
  return (
    <>
      <ToolNames tools={tools ?? []} />
      <span className="block text-muted-foreground text-xs">
        {tools && tools.length > 0
          ? "And Skillgate’s built-in tools. All others are refused."
          : limitTooltip(tools && [...tools])}
      </span>
    </>
  );
}

function StepFilterBar({ session, kind }: { session: AgentSessionTrace; kind: string | undefined }) {
  const [, setParams] = useUrlParams();
  const refused = session.counts.refused ?? 0;
  return (
    <FilterBar keys={STEP_FILTER_KEYS}>
      <FilterSelect
        name="kind"
        label="Step"
        any="Any step"
        className="w-44"
        options={(Object.keys(stepKinds) as AgentStepKind[]).map((value) => ({
          value,
          label: `${stepKinds[value].label} (${session.counts[value] ?? 0})`,
        }))}
      />
      <FilterSelect
        name="skill"
        label="Skill"
        className="w-56"
        options={session.skills.map(({ id, name, label, steps }) => ({
          value: id,
          label: `${label ?? name ?? "A skill you do not see"} (${steps})`,
        }))}
      />
      {refused > 0 && kind !== "refused" ? (
        <Button onClick={() => setParams({ kind: "refused" })}>Refused only</Button>
      ) : null}
    </FilterBar>
  );
}

export function StepList({ steps }: { steps: readonly AgentStepItem[] }) {
  const now = useNow();
  // Days depend on the reader's time zone, which the server does not know.
  const days = useMemo(() => (now === null ? [] : groupByDay(steps, now)), [steps, now]);
  return (
    <div className="flex flex-col gap-4">
      {days.map((day) => (
        <section key={day.key} aria-label={day.label}>
          <h2 className="mb-2 text-13">{day.label}</h2>
          <ol className="ml-3 border-l">
            {day.events.map((step) => (
              <Step key={step.id} step={step} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function Step({ step }: { step: AgentStepItem }) {
  const { Icon, label, meaning } = stepKinds[step.kind];
  const isRed = hasProblem(step);
  const detail = detailOf(step);
  return (
    <li className="relative flex items-start gap-3 py-1.5 pl-6 text-13">
      <StepMark Icon={Icon} title={meaning} isRed={isRed} />
      <div className="min-w-0 flex-1 break-words">
        <p className="flex min-h-6 flex-wrap items-center gap-x-3 *:min-h-6">
          <span className={cn("font-medium leading-6", isRed && "text-danger")}>{label}</span>
          <StepSubject step={step} />
          {step.versionDigest ? <Digest value={step.versionDigest} label="version digest" /> : null}
          {step.outcome === "failed" ? <Badge tone="danger">Failed</Badge> : null}
          {step.outcome === "refused" && step.kind !== "refused" ? <Badge tone="danger">Refused</Badge> : null}
          {step.runId ? (
            <Link href={`/runs/${step.runId}`} className="text-primary leading-6 hover:underline">
              Open run
            </Link>
          ) : null}
        </p>
        {step.detail === "" ? null : <p className={isRed ? "text-danger" : "text-muted-foreground"}>{detail}</p>}
      </div>
      <span className="flex shrink-0 flex-col items-end pt-0.5 text-muted-foreground text-xs tabular-nums">
        <time dateTime={step.at} title={formatExactTime(Date.parse(step.at))}>
          {formatClock(step.at)}
        </time>
        {step.durationMs === null ? null : <span>{formatDuration(step.durationMs)}</span>}
      </span>
    </li>
  );
}

/** The skill, and the tool where the kind of step does not imply it. */
function StepSubject({ step: { skill, tool, kind } }: { step: AgentStepItem }) {
  return (
    <>
      {skill === null ? null : skill.name === null ? (
        <span className="text-muted-foreground leading-6">a skill you do not see</span>
      ) : (
        <Link href={`/skills/${skill.id}`} title={skill.name} className="min-w-0 break-words leading-6 hover:underline">
          {skill.label ?? skill.name}
        </Link>
      )}
      {tool && (kind === "refused" || skill === null) ? (
        <code className="break-all font-mono text-xs leading-6">{tool}</code>
      ) : null}
    </>
  );
}

function formatClock(iso: string): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(
    new Date(iso),
  );
}
