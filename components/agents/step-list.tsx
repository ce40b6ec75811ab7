"use client";

import Link from "next/link";
import { useMemo } from "react";
import { groupByDay } from "@/components/audit/group-by-day";
import { useNow } from "@/components/state/use-now";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { Digest } from "@/components/ui/digest";
import { formatDuration, formatExactTime } from "@/components/ui/format-time";
import type { AgentStepItem } from "@/lib/agent/sessions/schema";
import { detailOf, hasProblem, stepKinds } from "./step-labels";
import { StepMark } from "./step-mark";

/** Steps on a line, newest first; what was refused stands out with its reason. */
export function StepList({ steps }: { steps: readonly AgentStepItem[] }) {
  const now = useNow();
  // Days and hours depend on the reader's zone, which the server does not know.
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
              Its run
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

/** The skill by name, and the tool where the kind of step does not say it. */
function StepSubject({ step: { skill, tool, kind } }: { step: AgentStepItem }) {
  return (
    <>
      {skill === null ? null : skill.name === null ? (
        <span className="text-muted-foreground leading-6">a skill you do not see</span>
      ) : (
        <Link href={`/skills/${skill.id}`} className="min-w-0 break-all leading-6 hover:underline">
          {skill.name}
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
