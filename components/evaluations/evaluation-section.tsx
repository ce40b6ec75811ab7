"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { FormDialog, FormField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { type Column, DataTable } from "@/components/lists/data-table";
import { List } from "@/components/lists/list-section";
import { isWaiting } from "@/components/playground/choice";
import { canManage } from "@/components/skills/skill-labels";
import { useMe } from "@/components/state/use-me";
import { useUrlParams } from "@/components/state/use-url-params";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { deferredUntil } from "@/components/ui/deferred/deferred";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { formatDuration } from "@/components/ui/format-time";
import { Notice } from "@/components/ui/notice";
import { ProgressBar } from "@/components/ui/progress-bar";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import type { Evaluation } from "@/lib/agent/evals/schema";
import { evaluationsKey, skillEvaluationsQuery, startEvaluation, versionEvalsQuery } from "@/lib/client/evaluations";
import { modelChoicesQuery } from "@/lib/client/models";
import { versionsQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import { evaluationBadges, formatPassed } from "./evaluation-labels";

const EvaluationResults = deferredUntil(
  async () => (await import("./evaluation-results")).EvaluationResults,
  ({ id }) => id !== null,
);

/** The evaluation cases of a skill and their results per version, with and without the skill. */
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
          ? "This version has no cases to evaluate. A case is a prompt with what the answer must contain, in the folder “evals” of the skill."
          : `Version ${evals?.versionNumber} contains ${count} ${count === 1 ? "case" : "cases"} in evals/.`
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
      <List
        query={query}
        errorTitle="The evaluations could not be loaded."
        empty={
          <EmptyState
            icon={FlaskConical}
            title="No evaluations yet"
            description="A model answers each case with and without the skill; the results are compared per version."
          />
        }
      >
        {(evaluations) => <EvaluationTable evaluations={evaluations} onOpen={mayEvaluate ? open : null} />}
      </List>
      {query.hasNextPage ? (
        <div>
          <Button pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older evaluations
          </Button>
        </div>
      ) : null}
      <Dialog open={isStarting} onOpenChange={setStarting}>
        {isStarting ? <EvaluateForm skill={skill} onDone={() => setStarting(false)} /> : null}
      </Dialog>
      <EvaluationResults id={mayEvaluate ? params.get("evaluation") : null} onClose={() => open(null)} />
    </Section>
  );
}

function EvaluateForm({ skill, onDone }: { skill: Skill; onDone: () => void }) {
  const models = useQuery(modelChoicesQuery).data?.items.flatMap(({ id, name, models: offered }) =>
    offered.map((model) => ({ value: JSON.stringify([id, model]), label: `${name}: ${model}` })),
  );
  const activeDigest = skill.enabled ? skill.currentVersion?.digest : undefined;
  const others = (useInfiniteQuery(versionsQuery(skill.id)).data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(({ digest, state }) => digest !== activeDigest && (state === "approved" || isWaiting(state)))
    .map(({ digest, number, state }) => ({
      value: digest,
      label: `Version ${number}, ${state === "approved" ? "not active" : "not approved"}: playbook only`,
    }));
  const versions = [
    ...(skill.currentVersion && skill.enabled
      ? [{ value: skill.currentVersion.digest, label: `Version ${skill.currentVersion.number}, active` }]
      : []),
    ...others,
  ];
  const [firstModel, firstVersion] = [models?.[0]?.value ?? "", versions[0]?.value ?? ""];
  const form = useApiForm({
    values: { model: "", versionDigest: "" },
    send: (values) => {
      const [endpointId, model] = JSON.parse(values.model || firstModel) as [string, string];
      return startEvaluation(skill.id, { versionDigest: values.versionDigest || firstVersion, endpointId, model });
    },
    refresh: [evaluationsKey],
    onDone,
  });
  const version = form.watch("versionDigest") || firstVersion;
  const evals = useQuery(versionEvalsQuery(skill.id, version)).data;
  return (
    <FormDialog
      form={form}
      title="Evaluate"
      description="A model answers each case twice: with and without the skill. Each answer costs tokens."
      action="Start evaluation"
      disabled={firstModel === "" || version === "" || evals?.cases.length === 0}
    >
      {versions.length === 0 ? (
        <Notice title="No version can be evaluated">Submit a version for review first.</Notice>
      ) : (
        <FormField form={form} name="versionDigest" label="Version">
          {(field) => <Select {...field} value={version} options={versions} />}
        </FormField>
      )}
      {models?.length === 0 ? (
        <Notice title="No model endpoint is set">Ask an admin to add one under Settings, Models.</Notice>
      ) : (
        <FormField form={form} name="model" label="Model">
          {(field) => <Select {...field} value={field.value || firstModel} options={models ?? []} />}
        </FormField>
      )}
      {evals ? (
        <p className="text-13 text-muted-foreground">
          {evals.cases.length === 0
            ? "This version has no usable cases in evals/."
            : `${evals.cases.length} ${evals.cases.length === 1 ? "case" : "cases"}, ${evals.cases.length * 2} answers.`}
        </p>
      ) : null}
    </FormDialog>
  );
}

type EvaluationTableProps = { evaluations: readonly Evaluation[]; onOpen: ((id: string) => void) | null };

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
  { header: "Passed with skill", numeric: true, cell: ({ withSkill }) => formatPassed(withSkill) },
  { header: "Passed without", numeric: true, muted: true, cell: ({ withoutSkill }) => formatPassed(withoutSkill) },
  {
    ...figure,
    header: "Tokens (with, without)",
    cell: ({ withSkill, withoutSkill }) => `${withSkill.tokens}, ${withoutSkill.tokens}`,
  },
  {
    ...figure,
    header: "Steps (with, without)",
    cell: ({ withSkill, withoutSkill }) => `${withSkill.steps}, ${withoutSkill.steps}`,
  },
  {
    ...figure,
    header: "Median duration",
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
