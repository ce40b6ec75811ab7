"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { JsonChanges } from "@/components/runs/json-changes";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { StateChip } from "@/components/ui/state-chip";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { type Run, runQuery } from "@/lib/client/runs";
import { versionQuery } from "@/lib/client/versions";
import { ComparePicker } from "./compare-picker";
import { type ComparedFact, compareFacts, compareTerms } from "./compare-runs";
import { termsOf } from "./run-terms";

type RunCompareProps = { run: Run; otherId: string; onChoose: (id: string | null) => void };

/** This run beside another: facts, what they might touch, arguments and result. The address names both. */
export function RunCompare({ run, otherId, onChoose }: RunCompareProps) {
  const query = useQuery({ ...runQuery(otherId), enabled: otherId !== "" });
  return (
    <section aria-label="Comparison" className="flex min-w-0 flex-col gap-4">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto">Compared with another run</h2>
        <ComparePicker run={run} chosen={otherId} onChoose={onChoose} />
        <CopyButton
          value={typeof window === "undefined" ? "" : window.location.href}
          label="Copy link to this comparison"
        />
        <Button size="sm" onClick={() => onChoose(null)}>
          End comparison
        </Button>
      </header>
      {otherId === "" ? (
        <Notice>Choose the run to compare with.</Notice>
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
        <Notice tone="warning">The other run is of another skill: {before.skill.label ?? before.skill.name}.</Notice>
      ) : null}
      <Table label="The two runs">
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

/** What the two versions were approved to touch; nothing where they are the same version. */
function TermRows({ before, after }: { before: Run; after: Run }) {
  const isSameVersion = before.versionDigest === after.versionDigest;
  const one = useQuery({ ...versionQuery(before.skill.id, before.versionDigest), enabled: !isSameVersion });
  const other = useQuery({ ...versionQuery(after.skill.id, after.versionDigest), enabled: !isSameVersion });
  if (isSameVersion || !one.data || !other.data) return null;
  const terms = compareTerms(termsOf(before, one.data), termsOf(after, other.data));
  return terms
    .filter(({ term }) => term !== "Class" && term !== "Time limit")
    .map((fact) => <FactRow key={`may touch ${fact.term}`} fact={{ ...fact, term: `${fact.term}, granted` }} />);
}

function FactRow({ fact: { term, before, after, isOther } }: { fact: ComparedFact }) {
  const look = cn("max-w-80 wrap-anywhere", isOther && "bg-warning-soft font-medium");
  return (
    <TableRow>
      <TableCell muted>
        {term}
        {isOther ? <span className="sr-only">, not the same</span> : null}
      </TableCell>
      <TableCell className={look}>{before}</TableCell>
      <TableCell className={look}>{after}</TableCell>
    </TableRow>
  );
}
