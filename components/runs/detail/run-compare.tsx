import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { diffJson, type JsonChange, maxChanges } from "@/components/json/diff-json";
import { jsonPathOf } from "@/components/json/json-pointer";
import { termsOf } from "@/components/runs/start/run-terms";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { formatExactTime } from "@/components/ui/format-time";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import { StateChip, stateLooks } from "@/components/ui/state-chip";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { newestRunsQuery, runQuery } from "@/lib/client/runs";
import { versionQuery } from "@/lib/client/versions";
import type { Run } from "@/lib/runner/schema";
import { type ComparedFact, compareFacts, compareTerms } from "./compare-runs";

type JsonChangesProps = { label: string; before: unknown; after: unknown };

const valueShownAtMost = 400;

const signs = { added: "+", removed: "−", changed: "~" } as const;

const changeLabels = { added: "Added", removed: "Removed", changed: "Changed" } as const;

type RunCompareProps = { run: Run; otherId: string; onChoose: (id: string | null) => void };

export function RunCompare({ run, otherId, onChoose }: RunCompareProps) {
  const query = useQuery({ ...runQuery(otherId), enabled: otherId !== "" });
  return (
    <section aria-label="Comparison" className="flex min-w-0 flex-col gap-4">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto">Run comparison</h2>
        <ComparePicker run={run} chosen={otherId} onChoose={onChoose} />
        <CopyButton value={typeof window === "undefined" ? "" : window.location.href} label="Copy link to comparison" />
        <Button size="sm" onClick={() => onChoose(null)}>
          Close comparison
        </Button>
      </header>
      {otherId === "" ? (
        <Notice>Select a run to compare with.</Notice>
      ) : (
        <QueryState
          query={query}
          loading={<Skeleton className="h-72" />}
          errorTitle="The other run could not be loaded."
        >
          {(other) => <Compared before={other} after={run} />}
        </QueryState>
      )}
    </section>
  );
}

function Compared({ before, after }: { before: Run; after: Run }) {
  const isOtherSkill = before.skill.id !== after.skill.id;
  return (
    <>
      {isOtherSkill ? (
        <Notice tone="warning">
          The other run belongs to another skill: {before.skill.label ?? before.skill.name}.
        </Notice>
      ) : null}
      <Table label="Run comparison">
        <TableHead>
          <tr>
            <TableHeader>
              <span className="sr-only">Fact</span>
            </TableHeader>
            <TableHeader>
              <RunHeading run={before} name="Other run" />
            </TableHeader>
            <TableHeader>
              <RunHeading run={after} name="This run" />
            </TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {compareFacts(before, after).map((fact) => (
            <FactRow key={fact.term} fact={fact} />
          ))}
          {isOtherSkill ? null : <TermRows before={before} after={after} />}
        </TableBody>
      </Table>
      <JsonChanges label="Arguments" before={before.args} after={after.args} />
      <JsonChanges label="Result" before={before.result} after={after.result} />
    </>
  );
}

function RunHeading({ run, name }: { run: Run; name: string }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 py-1 font-normal">
      <Link href={`/runs/${run.id}`} className="font-medium text-primary hover:underline">
        {name}
      </Link>
      <StateChip state={run.state} />
      <RelativeTime value={run.queuedAt} />
    </span>
  );
}

/** Permissions of the two versions; nothing when both runs used the same version. */
function TermRows({ before, after }: { before: Run; after: Run }) {
  const isSameVersion = before.versionDigest === after.versionDigest;
  const one = useQuery({ ...versionQuery(before.skill.id, before.versionDigest), enabled: !isSameVersion });
  const other = useQuery({ ...versionQuery(after.skill.id, after.versionDigest), enabled: !isSameVersion });
  if (isSameVersion || !one.data || !other.data) return null;
  const terms = compareTerms(termsOf(before, one.data), termsOf(after, other.data));
  return terms
    .filter(({ term }) => term !== "Class" && term !== "Time limit")
    .map((fact) => <FactRow key={`granted ${fact.term}`} fact={{ ...fact, term: `${fact.term} (granted)` }} />);
}

function FactRow({ fact: { term, before, after, isOther } }: { fact: ComparedFact }) {
  const look = cn("max-w-80 wrap-anywhere", isOther && "bg-warning-soft font-medium");
  return (
    <TableRow>
      <TableCell muted>
        {term}
        {isOther ? <span className="sr-only">, different</span> : null}
      </TableCell>
      <TableCell className={look}>{before}</TableCell>
      <TableCell className={look}>{after}</TableCell>
    </TableRow>
  );
}

type ComparePickerProps = { run: Run; chosen: string; onChoose: (id: string) => void };

function ComparePicker({ run, chosen, onChoose }: ComparePickerProps) {
  const { data } = useQuery(newestRunsQuery({ skill: run.skill.id }, 30));
  const others = (data?.items ?? []).filter(({ id }) => id !== run.id);
  const isListed = others.some(({ id }) => id === chosen);
  return (
    <Select
      aria-label="Run to compare with"
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
      className="w-80 max-md:w-full"
      options={[
        ...(chosen === "" ? [{ value: "", label: others.length === 0 ? "No other runs" : "Select a run" }] : []),
        ...(chosen !== "" && !isListed ? [{ value: chosen, label: chosen.slice(0, 8) }] : []),
        ...others.map((other) => ({ value: other.id, label: optionLabel(other) })),
      ]}
    />
  );
}

function optionLabel(run: Run): string {
  return `${stateLooks[run.state].label}, ${formatExactTime(Date.parse(run.queuedAt))}, ${run.caller.name}`;
}

function JsonChanges({ label, before, after }: JsonChangesProps) {
  const { changes, isCut } = useMemo(() => diffJson(before, after), [before, after]);
  return (
    <section aria-label={label} className="overflow-hidden rounded-md border">
      <header className="flex min-h-10 items-center gap-2 border-b px-4">
        <h3>{label}</h3>
        <span className="text-muted-foreground text-xs">{changeCountText(changes)}</span>
      </header>
      {changes.length === 0 ? null : (
        <section
          aria-label={`${label}, changes`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-[28rem] overflow-auto focus-visible:-outline-offset-2"
        >
          <ul className="font-mono text-xs leading-5">
            {changes.map((change) => (
              <ChangeRow
                key={`${change.kind} ${change.path}`}
                change={change}
                root={change.kind === "added" ? after : before}
              />
            ))}
          </ul>
        </section>
      )}
      {isCut ? (
        <p className="border-t px-4 py-1.5 text-muted-foreground text-xs">
          Only the first {maxChanges.toLocaleString("en")} differences are shown.
        </p>
      ) : null}
    </section>
  );
}

function ChangeRow({ change, root }: { change: JsonChange; root: unknown }) {
  const { kind } = change;
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2 border-b px-4 py-1 last:border-b-0">
      <span
        aria-hidden
        className={cn("text-muted-foreground", kind === "added" && "text-success", kind === "removed" && "text-danger")}
      >
        {signs[kind]}
      </span>
      <span className="sr-only">{changeLabels[kind]}</span>
      <div className="min-w-0">
        <p className="wrap-anywhere text-muted-foreground">
          <RevealedText text={jsonPathOf(root, change.path)} />
        </p>
        {kind === "added" ? null : <Value tone="removed" value={change.before} />}
        {kind === "removed" ? null : <Value tone="added" value={change.after} />}
      </div>
    </li>
  );
}

function Value({ value, tone }: { value: unknown; tone: "added" | "removed" }) {
  const text = JSON.stringify(value) ?? "None";
  const shown = text.length > valueShownAtMost ? `${text.slice(0, valueShownAtMost)}…` : text;
  return (
    <p
      className={cn(
        "wrap-anywhere whitespace-pre-wrap rounded-sm px-1",
        tone === "added" ? "bg-success-soft" : "bg-danger-soft",
      )}
    >
      <span className="sr-only">{tone === "added" ? "Now " : "Before "}</span>
      <RevealedText text={shown} />
    </p>
  );
}

function changeCountText(changes: readonly JsonChange[]): string {
  if (changes.length === 0) return "No differences";
  return (["changed", "added", "removed"] as const)
    .map((kind) => [changes.filter((change) => change.kind === kind).length, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${count.toLocaleString("en")} ${kind}`)
    .join(", ");
}
