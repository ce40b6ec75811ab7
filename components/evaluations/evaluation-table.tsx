"use client";

import { type Column, DataTable } from "@/components/lists/data-table";
import { Badge } from "@/components/ui/badge";
import { formatDuration } from "@/components/ui/format-time";
import { ProgressBar } from "@/components/ui/progress-bar";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Evaluation } from "@/lib/agent/evals/schema";
import { evaluationBadges, formatPassed } from "./evaluation-labels";

type EvaluationTableProps = { evaluations: readonly Evaluation[]; onOpen: ((id: string) => void) | null };

/** Evaluations, each version with its figures beside the others. */
export function EvaluationTable({ evaluations, onOpen }: EvaluationTableProps) {
  const version: Column<Evaluation> = {
    header: "Version",
    cell: ({ id, versionNumber }) =>
      onOpen ? (
        <button
          type="button"
          onClick={() => onOpen(id)}
          className="font-medium after:absolute after:inset-0 hover:underline"
        >
          Version {versionNumber}
        </button>
      ) : (
        `Version ${versionNumber}`
      ),
  };
  return (
    <DataTable
      label="Evaluations"
      rows={evaluations}
      rowId={({ id }) => id}
      columns={[version, ...figures]}
      rowProps={() => ({ className: "relative" })}
    />
  );
}

const figure = { numeric: true, muted: true, className: "max-lg:hidden" };

const figures: readonly Column<Evaluation>[] = [
  { header: "State", cell: (evaluation) => <State evaluation={evaluation} /> },
  { header: "Passed with", numeric: true, cell: ({ withSkill }) => formatPassed(withSkill) },
  { header: "Without", numeric: true, muted: true, cell: ({ withoutSkill }) => formatPassed(withoutSkill) },
  {
    ...figure,
    header: "Tokens with, without",
    cell: ({ withSkill, withoutSkill }) => `${withSkill.tokens}, ${withoutSkill.tokens}`,
  },
  { ...figure, header: "Steps", cell: ({ withSkill, withoutSkill }) => `${withSkill.steps}, ${withoutSkill.steps}` },
  {
    ...figure,
    header: "Median",
    cell: ({ withSkill: { medianMs } }) => (medianMs === null ? "–" : formatDuration(medianMs)),
  },
  { header: "Model", className: "max-md:hidden", cellClassName: "max-w-40 truncate", cell: ({ model }) => model },
  {
    ...figure,
    header: "When",
    className: "max-md:hidden",
    cell: ({ createdAt }) => <RelativeTime value={createdAt} />,
  },
];

function State({ evaluation: { state, versionNumber, withSkill, withoutSkill, cases } }: { evaluation: Evaluation }) {
  if (state !== "running") return <Badge tone={evaluationBadges[state].tone}>{evaluationBadges[state].label}</Badge>;
  const done = withSkill.answers + withoutSkill.answers;
  return <ProgressBar label={`Evaluating version ${versionNumber}`} done={done} total={cases * 2} />;
}
