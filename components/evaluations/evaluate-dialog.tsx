"use client";

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isWaiting } from "@/components/playground/version-choices";
import { FormError } from "@/components/state/form-error";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { evaluationsKey, startEvaluation, versionEvalsQuery } from "@/lib/client/evaluations";
import { modelChoicesQuery } from "@/lib/client/models";
import { versionsQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";

type EvaluateDialogProps = { skill: Skill; open: boolean; onClose: () => void };

/** Chooses the version and the model of an evaluation. */
export function EvaluateDialog({ skill, open, onClose }: EvaluateDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      {open ? <EvaluateForm skill={skill} onDone={onClose} /> : null}
    </Dialog>
  );
}

function EvaluateForm({ skill, onDone }: { skill: Skill; onDone: () => void }) {
  const queries = useQueryClient();
  const models = useQuery(modelChoicesQuery).data?.items.flatMap(({ id, name, models: offered }) =>
    offered.map((model) => ({ value: JSON.stringify([id, model]), label: `${name}: ${model}` })),
  );
  const serving = skill.enabled ? skill.currentVersion?.digest : undefined;
  const others = (useInfiniteQuery(versionsQuery(skill.id)).data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(({ digest, state }) => digest !== serving && (state === "approved" || isWaiting(state)))
    .map(({ digest, number, state }) => ({
      value: digest,
      label: `Version ${number}, ${state === "approved" ? "which does not serve" : "not approved"}: its playbook only`,
    }));
  const versions = [
    ...(skill.currentVersion && skill.enabled
      ? [{ value: skill.currentVersion.digest, label: `Version ${skill.currentVersion.number}, which serves` }]
      : []),
    ...others,
  ];
  const [chosen, setChosen] = useState({ model: "", version: "" });
  const model = chosen.model || models?.[0]?.value || "";
  const version = chosen.version || versions[0]?.value || "";
  const evals = useQuery(versionEvalsQuery(skill.id, version)).data;
  const start = useMutation({
    mutationFn: () => {
      const [endpointId, name] = JSON.parse(model) as [string, string];
      return startEvaluation(skill.id, { versionDigest: version, endpointId, model: name });
    },
    onSuccess: () => {
      onDone();
      return queries.invalidateQueries({ queryKey: evaluationsKey });
    },
  });
  return (
    <FormDialogContent
      title="Evaluate"
      description="A model answers each case twice, with the skill and without it. Each answer costs tokens."
      action="Start"
      pending={start.isPending}
      disabled={model === "" || version === "" || evals?.cases.length === 0}
      onSubmit={() => start.mutate()}
    >
      {versions.length === 0 ? (
        <Notice title="No version can be tried">None is approved, and none waits.</Notice>
      ) : (
        <Field label="Version">
          <Select
            value={version}
            onChange={({ target }) => setChosen({ ...chosen, version: target.value })}
            options={versions}
          />
        </Field>
      )}
      {models?.length === 0 ? (
        <Notice title="No model endpoint is set">An admin adds one under Settings, Models.</Notice>
      ) : (
        <Field label="Model">
          <Select
            value={model}
            onChange={({ target }) => setChosen({ ...chosen, model: target.value })}
            options={models ?? []}
          />
        </Field>
      )}
      {evals ? (
        <p className="text-13 text-muted-foreground">
          {evals.cases.length === 0
            ? "This version has no case in evals/ that can be run."
            : `${evals.cases.length} ${evals.cases.length === 1 ? "case" : "cases"}, ${evals.cases.length * 2} answers.`}
        </p>
      ) : null}
      <FormError error={start.error} />
    </FormDialogContent>
  );
}
