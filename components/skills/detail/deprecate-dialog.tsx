import { useQuery } from "@tanstack/react-query";
import { FormDialog, FormField, TextareaField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { useDebounced } from "@/components/state/use-debounced";
import { Dialog } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { listOf, withQuery } from "@/lib/client/api";
import { answerQuery } from "@/lib/client/queries";
import { deprecateSkill } from "@/lib/client/skill-marks";
import { skillsKey } from "@/lib/client/skills";
import type { Page } from "@/lib/core/schema";
import type { Skill } from "@/lib/skills/schema";
import { displayName } from "../skill-labels";

type DeprecateDialogProps = { skill: Skill; onOpenChange: (open: boolean) => void };

export function DeprecateDialog({ skill, onOpenChange }: DeprecateDialogProps) {
  const form = useApiForm({
    values: { reason: skill.deprecated?.reason ?? "", replacedBy: skill.deprecated?.replacedBy?.name ?? "" },
    body: ({ reason, replacedBy }) => ({ reason, ...(replacedBy.trim() ? { replacedBy: replacedBy.trim() } : {}) }),
    send: (body) => deprecateSkill(skill.id, body),
    refresh: [skillsKey],
    onDone: () => onOpenChange(false),
  });
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <FormDialog
        form={form}
        title={`Deprecate ${displayName(skill)}`}
        description="Everyone who sees the skill sees this notice. The skill stays active until you switch it off."
        action="Deprecate skill"
      >
        <TextareaField
          form={form}
          name="reason"
          label="Reason"
          required
          help="Why, and how long the skill stays available."
          rows={3}
          maxLength={500}
        />
        <FormField
          form={form}
          name="replacedBy"
          label="Replacement"
          optional
          help="Name of the skill that replaces this one."
        >
          {({ value, onChange }) => <ReplacementInput value={value} onChange={onChange} exceptId={skill.id} />}
        </FormField>
      </FormDialog>
    </Dialog>
  );
}

type ReplacementInputProps = { value: string; onChange: (value: string) => void; exceptId: string; id?: string };

/** An input that suggests skill names; `field` are the props that `Field` passes. */
function ReplacementInput({ value, onChange, exceptId, ...field }: ReplacementInputProps) {
  const q = useDebounced(value, 200);
  const { data } = useQuery(
    answerQuery([...skillsKey, "names", q], withQuery("/api/skills", { q, limit: 20 }), listOf<Page<Skill>>(), {
      enabled: q.trim() !== "",
    }),
  );
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
