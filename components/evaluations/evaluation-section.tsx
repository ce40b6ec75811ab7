"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { canManage } from "@/components/skills/can-manage";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Section } from "@/components/ui/section";
import { skillEvaluationsQuery, versionEvalsQuery } from "@/lib/client/evaluations";
import type { Skill } from "@/lib/skills/schema";
import { EvaluateDialog } from "./evaluate-dialog";
import { EvaluationResults } from "./evaluation-results";
import { EvaluationTable } from "./evaluation-table";

/** The cases that a skill carries, and what a model made of them with it and without it, version beside version. */
export function EvaluationSection({ skill }: { skill: Skill }) {
  const [params, setParams] = useUrlParams();
  const [isStarting, setStarting] = useState(false);
  const me = useMe();
  const query = useInfiniteQuery(skillEvaluationsQuery(skill.id));
  const newest = skill.pendingVersion ?? skill.currentVersion;
  const evals = useQuery(versionEvalsQuery(skill.id, newest?.digest ?? "")).data;
  const reviews = me?.user.role === "reviewer" || me?.user.role === "admin";
  const mayEvaluate = reviews || canManage(skill, me);
  const open = (id: string | null) => setParams({ evaluation: id });
  const count = evals?.cases.length ?? 0;
  return (
    <Section
      title="Evaluation"
      description={
        count === 0
          ? "A skill may carry cases in evals/: prompts with what is expected of the answer."
          : `Version ${evals?.versionNumber} carries ${count} ${count === 1 ? "case" : "cases"} in evals/.`
      }
      actions={
        mayEvaluate ? (
          <Button disabled={count === 0} onClick={() => setStarting(true)}>
            Evaluate
          </Button>
        ) : null
      }
    >
      {evals && evals.diagnostics.length > 0 ? <DiagnosticList diagnostics={evals.diagnostics} /> : null}
      <QueryState
        query={query}
        errorTitle="The evaluations could not be loaded."
        isEmpty={({ pages }) => pages.every((page) => page.items.length === 0)}
        empty={
          <EmptyState
            icon={FlaskConical}
            title="Not evaluated yet"
            description="A model answers the cases with the skill and without it, and each version gets its figures."
          />
        }
      >
        {({ pages }) => (
          <EvaluationTable evaluations={pages.flatMap((page) => page.items)} onOpen={mayEvaluate ? open : null} />
        )}
      </QueryState>
      {query.hasNextPage ? (
        <div>
          <Button pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older evaluations
          </Button>
        </div>
      ) : null}
      <EvaluateDialog skill={skill} open={isStarting} onClose={() => setStarting(false)} />
      <EvaluationResults id={mayEvaluate ? params.get("evaluation") : null} onClose={() => open(null)} />
    </Section>
  );
}
