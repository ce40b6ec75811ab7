"use client";

import { useQuery } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import Link from "next/link";
import { FormError } from "@/components/forms/form-error";
import { useAction } from "@/components/forms/use-action";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Drawer, DrawerContent } from "@/components/ui/drawer";
import { formatDuration } from "@/components/ui/format-time";
import { Notice } from "@/components/ui/notice";
import type { EvalAnswer, EvaluationDetail } from "@/lib/agent/evals/schema";
import { cancelEvaluation, evaluationQuery, evaluationsKey } from "@/lib/client/evaluations";
import { describeEnd, evaluationBadges, formatPassed } from "./evaluation-labels";

export function EvaluationResults({ id, onClose }: { id: string | null; onClose: () => void }) {
  const query = useQuery(evaluationQuery(id));
  const shown = id === null ? undefined : query.data;
  const cancel = useAction(() => cancelEvaluation(id ?? ""), { refresh: [evaluationsKey] });
  return (
    <Drawer open={id !== null} onOpenChange={(open) => !open && onClose()}>
      {id === null ? null : (
        <DrawerContent
          size="lg"
          title={shown ? `Evaluation of version ${shown.versionNumber}` : "Evaluation"}
          description={
            shown
              ? `${shown.model}: passed ${formatPassed(shown.withSkill)} with the skill, ${formatPassed(shown.withoutSkill)} without it`
              : undefined
          }
          footer={
            shown?.mayCancel ? (
              <Button pending={cancel.isPending} onClick={() => cancel.mutate()}>
                Stop
              </Button>
            ) : null
          }
        >
          <FormError error={cancel.error} />
          <QueryState query={query} errorTitle="The evaluation could not be loaded.">
            {(evaluation) => <Results evaluation={evaluation} />}
          </QueryState>
        </DrawerContent>
      )}
    </Drawer>
  );
}

function Results({ evaluation: { state, error, results } }: { evaluation: EvaluationDetail }) {
  return (
    <div className="flex flex-col gap-6">
      {error ? (
        <Notice tone="danger" title={evaluationBadges[state].label}>
          {error}
        </Notice>
      ) : null}
      {results.length === 0 ? <p className="text-13 text-muted-foreground">No answers yet</p> : null}
      {results.map((result) => (
        <section key={result.caseId} aria-label={`Case ${result.caseId}`} className="flex flex-col gap-2">
          <h3>{result.caseId}</h3>
          <p className="whitespace-pre-wrap break-words text-13">{result.prompt}</p>
          {result.expected ? (
            <p className="whitespace-pre-wrap break-words text-13 text-muted-foreground">Expected: {result.expected}</p>
          ) : null}
          <div className="grid gap-3 md:grid-cols-2">
            <Side title="With the skill" answer={result.withSkill} />
            <Side title="Without it" answer={result.withoutSkill} />
          </div>
        </section>
      ))}
    </div>
  );
}

function Side({ title, answer }: { title: string; answer: EvalAnswer | null }) {
  const end = answer ? describeEnd(answer) : null;
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2 rounded-md border p-3 text-13">
      <h4 className="flex items-center justify-between gap-2 font-medium">
        {title}
        {answer ? (
          <Badge tone={answer.passed ? "success" : "danger"}>{answer.passed ? "Passed" : "Failed"}</Badge>
        ) : null}
      </h4>
      {answer === null ? (
        <p className="text-muted-foreground">No answer</p>
      ) : (
        <>
          {end ? <p className="text-danger">{end}</p> : null}
          <p className="max-h-60 overflow-y-auto whitespace-pre-wrap break-words" {...scrollable}>
            {answer.answer || "Empty answer"}
          </p>
          <ul className="flex flex-col gap-1">
            {answer.checks.map(({ what, passed, why }) => (
              <li key={what} className="flex items-start gap-1.5">
                {passed ? (
                  <Check aria-label="Passed" className="mt-0.5 size-3.5 shrink-0 text-success" />
                ) : (
                  <X aria-label="Failed" className="mt-0.5 size-3.5 shrink-0 text-danger" />
                )}
                <span className="min-w-0 break-words">
                  {what}
                  {why ? <span className="text-muted-foreground">: {why}</span> : null}
                </span>
              </li>
            ))}
          </ul>
          <p className="text-muted-foreground text-xs tabular-nums">
            {answer.steps} steps, {answer.tokens} tokens, {formatDuration(answer.durationMs)}
            {answer.sessionId ? (
              <>
                {", "}
                <Link href={`/agents/${answer.sessionId}`} className="text-primary hover:underline">
                  open session
                </Link>
              </>
            ) : null}
          </p>
        </>
      )}
    </section>
  );
}

/** A scrolling area must be reachable by keyboard. */
const scrollable = { tabIndex: 0, role: "region", "aria-label": "Answer" } as const;
