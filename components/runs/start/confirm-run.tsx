import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SopLink } from "@/components/approvals/sop-link";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { ClassChip } from "@/components/ui/class-chip";
import { CodeBlock } from "@/components/ui/code-block";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { ApiError } from "@/lib/client/api";
import { sopsQuery } from "@/lib/client/approvals";
import { tryRunQuery } from "@/lib/client/runs";
import type { Skill } from "@/lib/skills/schema";
import { startOutcome } from "./run-terms";

type ConfirmRunProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  skill: Pick<Skill, "id" | "name" | "label" | "class">;
  args: Record<string, unknown>;
  onConfirm: (sop: string | undefined) => Promise<unknown>;
};

export function ConfirmRun({ open, onOpenChange, skill, args, onConfirm }: ConfirmRunProps) {
  const waits = startOutcome(useMe(), skill.class) === "park";
  const [sop, setSop] = useState("");
  const name = skill.label ?? skill.name;
  const isDangerous = skill.class === "dangerous";
  const trial = useQuery({ ...tryRunQuery(skill.id, args, sop || undefined), enabled: open && isDangerous });
  const needsSop = trial.error instanceof ApiError && trial.error.fieldError("sop") !== undefined && sop === "";
  const refusal = trial.data?.outcome === "refuse" ? trial.data.reason : needsSop ? null : trial.error;
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={waits ? `Request a run of ${name} with these arguments?` : `Run ${name} with these arguments?`}
      description={
        <span className="flex items-start gap-2">
          <ClassChip value={skill.class} />
          {isDangerous
            ? "This run may do irreversible harm. The audit log records your name."
            : "This run changes data or systems. The audit log records your name."}
        </span>
      }
      confirmLabel={waits ? "Request approval" : `Run ${name}`}
      tone={isDangerous && !waits ? "danger" : "primary"}
      onConfirm={() => onConfirm(sop || undefined)}
    >
      <div className="flex flex-col gap-4">
        <CodeBlock code={JSON.stringify(args, null, 2)} label="Arguments" language="json" className="max-h-64" />
        {isDangerous ? <SopPicker chosen={sop} onChoose={setSop} isNeeded={needsSop} /> : null}
        {waits ? <p className="min-h-5 text-13">{trial.data?.outcome === "park" ? trial.data.reason : null}</p> : null}
        {refusal ? (
          <Notice tone="danger" announce title="This run would be refused">
            {typeof refusal === "string" ? refusal : errorText(refusal)}
          </Notice>
        ) : null}
      </div>
    </ConfirmDialog>
  );
}

type SopPickerProps = {
  chosen: string;
  onChoose: (id: string) => void;
  /** Whether this server requires a procedure for dangerous runs. */
  isNeeded: boolean;
};

/** Selects the signed procedure of a dangerous run; hidden when none is registered or required. */
function SopPicker({ chosen, onChoose, isNeeded }: SopPickerProps) {
  const { data } = useQuery(sopsQuery);
  const usable = data?.items.filter(({ valid }) => valid) ?? [];
  const sop = usable.find(({ id }) => id === chosen);
  if (usable.length === 0 && !isNeeded) return null;
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Procedure"
        required={isNeeded}
        help={
          usable.length === 0
            ? "Dangerous runs need a signed procedure, and none is registered. Ask an admin to add one."
            : isNeeded
              ? "Required for dangerous runs. Approvers see it."
              : "Approvers see it."
        }
      >
        <Select
          value={chosen}
          onChange={({ target }) => onChoose(target.value)}
          options={[
            { value: "", label: isNeeded ? "Select a procedure" : "None" },
            ...usable.map(({ id, title }) => ({ value: id, label: title })),
          ]}
        />
      </Field>
      {sop ? <SopLink sop={sop} /> : null}
    </div>
  );
}
