"use client";

import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/components/state/use-me";
import { cn } from "@/components/ui/cn";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { versionQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import { describePlace, describeTerms, termsOf } from "./run-terms";
import { startWords } from "./start-words";

/** Before a run: what a click on Run leads to, and what the run may touch. */
export function RunTermsBox({ skill }: { skill: Skill }) {
  const me = useMe();
  const digest = skill.currentVersion?.digest ?? "";
  const version = useQuery({ ...versionQuery(skill.id, digest), enabled: digest !== "" });
  const isKnown = digest === "" || version.data !== undefined;
  const place = describePlace(me?.isolation, me?.workersOnline);
  const lines = [...describeTerms(termsOf(skill, version.data)), ...(place ? [place] : [])];
  return (
    <section aria-label="What this run may touch" className="rounded-md border px-4 py-3">
      <h2 className="text-13">What this run may touch</h2>
      {isKnown ? (
        <dl className="mt-2 grid grid-cols-[minmax(6.5rem,auto)_1fr] gap-x-3 gap-y-1 text-13">
          {lines.map(({ term, words, loud }) => (
            <div key={term} className="contents">
              <dt className="text-muted-foreground">{term}</dt>
              <dd className={cn("min-w-0 wrap-anywhere", loud && "font-medium text-warning")}>{words}</dd>
            </div>
          ))}
        </dl>
      ) : version.error ? (
        <p className="mt-2 text-13 text-danger">What it may touch could not be loaded. Reload the page first.</p>
      ) : (
        <Skeleton className="mt-2 h-36" />
      )}
      {version.data?.notServed ? (
        <Notice tone="warning" title="No worker can run this now" className="mt-2">
          {version.data.notServed}
        </Notice>
      ) : null}
      <p className="mt-2 min-h-5 border-t pt-2 text-13">{startWords(me, skill.class)}</p>
    </section>
  );
}
