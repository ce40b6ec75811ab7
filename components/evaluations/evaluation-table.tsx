"use client";

import { Badge } from "@/components/ui/badge";
import { formatDuration } from "@/components/ui/format-time";
import { ProgressBar } from "@/components/ui/progress-bar";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { Evaluation } from "@/lib/client/evaluations";
import { evaluationLooks, passedWords } from "./evaluation-labels";

type EvaluationTableProps = { evaluations: readonly Evaluation[]; onOpen: ((id: string) => void) | null };

/** Evaluations, each version with its figures beside the others. */
export function EvaluationTable({ evaluations, onOpen }: EvaluationTableProps) {
  return (
    <Table label="Evaluations">
      <TableHead>
        <tr>
          <TableHeader>Version</TableHeader>
          <TableHeader>State</TableHeader>
          <TableHeader align="right">Passed with</TableHeader>
          <TableHeader align="right">Without</TableHeader>
          <TableHeader align="right" className="max-lg:hidden">
            Tokens with, without
          </TableHeader>
          <TableHeader align="right" className="max-lg:hidden">
            Steps
          </TableHeader>
          <TableHeader align="right" className="max-lg:hidden">
            Median
          </TableHeader>
          <TableHeader className="max-md:hidden">Model</TableHeader>
          <TableHeader align="right" className="max-md:hidden">
            When
          </TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {evaluations.map((evaluation) => (
          <Row key={evaluation.id} evaluation={evaluation} onOpen={onOpen} />
        ))}
      </TableBody>
    </Table>
  );
}

function Row({ evaluation, onOpen }: { evaluation: Evaluation; onOpen: EvaluationTableProps["onOpen"] }) {
  const { withSkill, withoutSkill, state, cases } = evaluation;
  const name = `Version ${evaluation.versionNumber}`;
  const pair = (first: number, second: number) => `${first}, ${second}`;
  return (
    <TableRow className="relative">
      <TableCell>
        {onOpen ? (
          <button
            type="button"
            onClick={() => onOpen(evaluation.id)}
            className="font-medium after:absolute after:inset-0 hover:underline"
          >
            {name}
          </button>
        ) : (
          name
        )}
      </TableCell>
      <TableCell>
        {state === "running" ? (
          <ProgressBar
            label={`Evaluating ${name.toLowerCase()}`}
            done={withSkill.answers + withoutSkill.answers}
            total={cases * 2}
          />
        ) : (
          <Badge tone={evaluationLooks[state].tone}>{evaluationLooks[state].label}</Badge>
        )}
      </TableCell>
      <TableCell numeric>{passedWords(withSkill)}</TableCell>
      <TableCell numeric muted>
        {passedWords(withoutSkill)}
      </TableCell>
      <TableCell numeric muted className="max-lg:hidden">
        {pair(withSkill.tokens, withoutSkill.tokens)}
      </TableCell>
      <TableCell numeric muted className="max-lg:hidden">
        {pair(withSkill.steps, withoutSkill.steps)}
      </TableCell>
      <TableCell numeric muted className="max-lg:hidden">
        {withSkill.medianMs === null ? "–" : formatDuration(withSkill.medianMs)}
      </TableCell>
      <TableCell className="max-w-40 truncate max-md:hidden">{evaluation.model}</TableCell>
      <TableCell numeric muted className="max-md:hidden">
        <RelativeTime value={evaluation.createdAt} />
      </TableCell>
    </TableRow>
  );
}
