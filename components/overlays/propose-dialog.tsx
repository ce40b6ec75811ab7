"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/state/form-error";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { modelChoicesQuery } from "@/lib/client/models";
import { optimizeSkill, overlaysKey } from "@/lib/client/overlays";
import type { Skill } from "@/lib/skills/schema";

type ProposeDialogProps = { skill: Skill; open: boolean; onClose: () => void };

/** Chooses the model that looks for better words. */
export function ProposeDialog({ skill, open, onClose }: ProposeDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      {open ? <ProposeForm skill={skill} onDone={onClose} /> : null}
    </Dialog>
  );
}

function ProposeForm({ skill, onDone }: { skill: Skill; onDone: () => void }) {
  const queryClient = useQueryClient();
  const choices = useQuery(modelChoicesQuery).data?.items.flatMap(({ id, name, models }) =>
    models.map((model) => ({ value: JSON.stringify([id, model]), label: `${name}: ${model}` })),
  );
  const [chosen, setChosen] = useState("");
  const value = chosen || choices?.[0]?.value || "";
  const propose = useMutation({
    mutationFn: () => {
      const [endpointId, model] = JSON.parse(value) as [string, string];
      return optimizeSkill(skill.id, { optimizer: "gepa", endpointId, model });
    },
    onSuccess: () => {
      onDone();
      return queryClient.invalidateQueries({ queryKey: overlaysKey });
    },
  });
  const hasNone = choices?.length === 0;
  return (
    <FormDialogContent
      title="Ask a model for better words"
      description="GEPA has the model choose by the description alone, reflect on where it was wrong, and rewrite. It takes up to ten minutes and some hundred calls."
      action="Start"
      pending={propose.isPending}
      disabled={value === ""}
      onSubmit={() => propose.mutate()}
    >
      {hasNone ? (
        <Notice title="No model endpoint is set">An admin adds one under Settings, Models.</Notice>
      ) : (
        <Field label="Model">
          <Select value={value} onChange={({ target }) => setChosen(target.value)} options={choices ?? []} />
        </Field>
      )}
      <FormError error={propose.error} />
    </FormDialogContent>
  );
}
