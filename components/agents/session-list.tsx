"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type Column, DataTable, timeColumn } from "@/components/lists/data-table";
import { FilterBar, FilterDates, FilterSelect, noFilters, readFilters } from "@/components/lists/filter-bar";
import { itemsOf, List } from "@/components/lists/list-section";
import { useRowKeys } from "@/components/lists/use-list-keys";
import { useMe } from "@/components/state/use-me";
import { useNow } from "@/components/state/use-now";
import { useUrlParams } from "@/components/state/use-url-params";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import type { SelectOption } from "@/components/ui/select";
import { Sparkline } from "@/components/ui/sparkline";
import type { AgentSessionItem } from "@/lib/agent/sessions/schema";
import { mayStillRun, SESSION_FILTER_KEYS, sessionFacetsQuery, sessionPagesQuery } from "@/lib/client/agents";
import { countList, describeCounts, hasProblem, limitLabel, limitTooltip, stepKinds } from "./step-labels";

const DONE = new Set(["ran", "saved"]);

const columns: readonly Column<AgentSessionItem>[] = [
  {
    header: "Client",
    cellClassName: "max-w-80 py-1.5 max-md:w-full max-md:max-w-0",
    cell: (session) => <Client session={session} />,
  },
  {
    header: "Active skill",
    className: "max-md:hidden",
    cellClassName: "max-w-56",
    cell: ({ active }) => <ActiveSkill active={active} />,
  },
  { header: "Steps", className: "max-md:hidden", cell: ({ recent }) => <StepSparkline steps={recent} /> },
  { header: "Counts", className: "max-lg:hidden", cell: ({ counts }) => <Counts counts={counts} /> },
  timeColumn("Started", ({ startedAt }) => startedAt, { numeric: true, className: "max-md:hidden" }),
  timeColumn("Last seen", ({ lastSeenAt }) => lastSeenAt, { numeric: true }),
];

export function SessionList() {
  const [params, setParams] = useUrlParams();
  const router = useRouter();
  const filters = readFilters(params, SESSION_FILTER_KEYS);
  const query = useInfiniteQuery(sessionPagesQuery(filters));
  const sessions = itemsOf(query.data);
  const active = useRowKeys({
    count: sessions.length,
    noun: "session",
    ids: sessions.map(({ id }) => id),
    onOpen: (index) => {
      const session = sessions[index];
      if (session) router.push(`/agents/${session.id}`);
    },
  });
  const isFiltered = Object.keys(filters).length > 0;
  const hasNone = query.data !== undefined && sessions.length === 0 && !isFiltered;
  return (
    <>
      {hasNone ? null : <SessionFilterBar />}
      <List
        query={query}
        errorTitle="The sessions could not be loaded."
        endText="End of list"
        empty={
          isFiltered ? (
            <EmptyState
              title="No matching sessions"
              action={<Button onClick={() => setParams(noFilters(SESSION_FILTER_KEYS))}>Show all sessions</Button>}
            />
          ) : (
            <EmptyState
              icon={Bot}
              title="No agent sessions yet"
              description="When an agent connects with a token, its session appears here with each step: what it saw, loaded and ran, and what was refused."
              action={
                <>
                  <Button asChild>
                    <Link href="/agents/view">Open agent view</Link>
                  </Button>
                  <Button variant="primary" asChild>
                    <Link href="/settings/tokens">Create token</Link>
                  </Button>
                </>
              }
            />
          )
        }
      >
        {(rows) => (
          <>
            <DataTable
              label="Sessions"
              rows={rows}
              rowId={({ id }) => id}
              columns={columns}
              rowProps={(_, index) => ({ active: index === active, "data-row-index": index, className: "relative" })}
            />
            <StepLegend />
          </>
        )}
      </List>
    </>
  );
}

function SessionFilterBar() {
  const { data } = useQuery(sessionFacetsQuery);
  const isAdmin = useMe()?.user.role === "admin";
  const pick = (name: (typeof SESSION_FILTER_KEYS)[number], label: string, options: readonly SelectOption[]) => (
    <FilterSelect name={name} label={label} options={options} className="w-40" />
  );
  return (
    <FilterBar keys={SESSION_FILTER_KEYS}>
      {pick("persona", "Persona", named(data?.personas))}
      {pick("token", "Token", named(data?.tokens))}
      {isAdmin ? pick("user", "Person", named(data?.people)) : null}
      {pick(
        "client",
        "Client",
        (data?.clients ?? []).map(({ client }) => ({ value: client, label: client })),
      )}
      <FilterDates />
    </FilterBar>
  );
}

function named(items: readonly { id: string; name: string | null }[] | undefined): SelectOption[] {
  return (items ?? []).map(({ id, name }) => ({ value: id, label: name ?? `Deleted (${id.slice(0, 8)})` }));
}

function Client({ session }: { session: AgentSessionItem }) {
  const now = useNow();
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        <LiveDot on={now !== null && mayStillRun(session, now)} />
        {/* The link covers its row, so that the whole row is clickable. */}
        <Link
          href={`/agents/${session.id}`}
          className="min-w-0 truncate font-medium after:absolute after:inset-0 hover:underline"
          title={session.client}
        >
          {session.client}
        </Link>
      </span>
      <span
        className="block text-muted-foreground text-xs max-md:line-clamp-2 md:truncate"
        title={describeActor(session)}
      >
        {describeActor(session)}
      </span>
      <span className="block truncate text-muted-foreground text-xs md:hidden">
        {session.active
          ? `${session.active.skill.label ?? session.active.skill.name ?? "a skill"}, ${limitLabel(session.active.tools)}`
          : "No active skill"}
      </span>
      <span className="mt-0.5 flex items-center gap-2 md:hidden">
        {session.recent.length > 0 ? <StepSparkline steps={session.recent} /> : null}
        <Refused counts={session.counts} />
      </span>
    </>
  );
}

/** "Aiko as reader · laptop" */
function describeActor({ person, persona, token }: AgentSessionItem): string {
  const who = `${person.name ?? "A former user"}${persona ? ` as ${persona.name ?? "a deleted persona"}` : ""}`;
  return token ? `${who} · ${token.name ?? "deleted token"}` : who;
}

function ActiveSkill({ active }: { active: AgentSessionItem["active"] }) {
  if (active === null) return <span className="text-muted-foreground">–</span>;
  return (
    <>
      <span className="block truncate" title={active.skill.name ?? undefined}>
        {active.skill.label ?? active.skill.name ?? "A skill you do not see"}
      </span>
      <span className="block truncate text-muted-foreground text-xs" title={limitTooltip(active.tools)}>
        {limitLabel(active.tools)}
      </span>
    </>
  );
}

function Counts({ counts }: { counts: AgentSessionItem["counts"] }) {
  const { refused: _refused, ...others } = counts;
  return (
    <span
      className="flex flex-wrap items-center gap-x-2 text-muted-foreground text-xs tabular-nums"
      title={describeCounts(counts)}
    >
      <Refused counts={counts} />
      {countList(others).map(({ kind, count }) => (
        <span key={kind} className="whitespace-nowrap">
          {count} {stepKinds[kind].label.toLowerCase()}
        </span>
      ))}
    </span>
  );
}

function Refused({ counts: { refused = 0 } }: { counts: AgentSessionItem["counts"] }) {
  return refused > 0 ? <Badge tone="danger">{refused} refused</Badge> : null;
}

function LiveDot({ on }: { on: boolean }) {
  return (
    <span
      {...(on ? { role: "img", "aria-label": "Live", title: "Live" } : { "aria-hidden": true })}
      className={cn("size-2 shrink-0 rounded-full", on ? "bg-success-mark" : "border border-border")}
    />
  );
}

/** The newest steps as bars: tall for runs and saves, red for refused or failed steps. */
function StepSparkline({ steps }: { steps: AgentSessionItem["recent"] }) {
  if (steps.length === 0) return <span className="text-muted-foreground">–</span>;
  const troubles = steps.filter(hasProblem).length;
  const count = steps.length === 1 ? "Newest step" : `Newest ${steps.length} steps`;
  return (
    <Sparkline
      points={steps.map((step) => ({
        value: hasProblem(step) || DONE.has(step.kind) ? 2 : 1,
        tone: hasProblem(step) ? "danger" : DONE.has(step.kind) ? "success" : "neutral",
      }))}
      width={6 * steps.length}
      label={`${count}: ${troubles === 0 ? "nothing refused" : `${troubles} refused or failed`}`}
    />
  );
}

function StepLegend() {
  const marks = [
    ["bg-success-mark h-3.5", "ran or saved"],
    ["bg-danger-mark h-3.5", "refused or failed"],
    ["bg-muted-foreground/60 h-2", "listed or loaded"],
  ] as const;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 pt-2 text-muted-foreground text-xs">
      Steps:
      {marks.map(([look, text]) => (
        <span key={text} className="flex items-end gap-1.5">
          <span aria-hidden className={cn("w-1 rounded-sm", look)} />
          {text}
        </span>
      ))}
    </p>
  );
}
