"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { useDebounced } from "@/components/state/use-debounced";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { ApiError, api, withQuery } from "@/lib/client/api";
import { deprecateSkill } from "@/lib/client/skill-marks";
import { skillsKey } from "@/lib/client/skills";
import { type Skill, SkillPage } from "@/lib/skills/schema";
import { displayName } from "../skill-labels";

type DeprecateDialogProps = { skill: Skill; onOpenChange: (open: boolean) => void };

/** Advises everybody against a skill, which keeps serving. */
export function DeprecateDialog({ skill, onOpenChange }: DeprecateDialogProps) {
  const queries = useQueryClient();
  const [reason, setReason] = useState(skill.deprecated?.reason ?? "");
  const [replacement, setReplacement] = useState(skill.deprecated?.replacedBy?.name ?? "");
  const save = useMutation({
    mutationFn: () =>
      deprecateSkill(skill.id, {
        reason,
        ...(replacement.trim() === "" ? {} : { replacedBy: replacement.trim() }),
      }),
    onSuccess: () => {
      onOpenChange(false);
      return queries.invalidateQueries({ queryKey: skillsKey });
    },
  });
  const error = save.error instanceof ApiError ? save.error : null;
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <FormDialogContent
        title={`Deprecate ${displayName(skill)}`}
        description="Everybody who sees it is told. It keeps serving until you switch it off."
        action="Deprecate skill"
        pending={save.isPending}
        onSubmit={() => save.mutate()}
      >
        <Field
          label="Reason"
          required
          help="Why, and until when it can be relied on."
          error={error?.fieldError("reason")}
        >
          <Textarea rows={3} maxLength={500} value={reason} onChange={({ target }) => setReason(target.value)} />
        </Field>
        <Field
          label="Use instead"
          optional
          help="Name of the skill that replaces it."
          error={error?.fieldError("replacedBy")}
        >
          <ReplacementInput value={replacement} onChange={setReplacement} exceptId={skill.id} />
        </Field>
        <FormError error={save.error} />
      </FormDialogContent>
    </Dialog>
  );
}

type ReplacementInputProps = { value: string; onChange: (value: string) => void; exceptId: string; id?: string };

/** Suggests skills by what is typed; what `Field` gives goes to the input. */
function ReplacementInput({ value, onChange, exceptId, ...field }: ReplacementInputProps) {
  const q = useDebounced(value, 200);
  const { data } = useQuery({
    queryKey: [...skillsKey, "names", q],
    queryFn: ({ signal }) => api(withQuery("/api/skills", { q, limit: 20 }), { schema: SkillPage, signal }),
    enabled: q.trim() !== "",
  });
  const listId = `${field.id ?? "replacement"}-names`;
  return (
    <>
      <Input
        {...field}
        list={listId}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={listId}>
        {data?.items
          .filter(({ id, deprecated }) => id !== exceptId && deprecated === null)
          .map(({ id, name }) => (
            <option key={id} value={name} />
          ))}
      </datalist>
    </>
  );
}
