"use client";

import { useQuery } from "@tanstack/react-query";
import { SopLink } from "@/components/approvals/sop-link";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { sopsQuery } from "@/lib/client/sops";

type SopPickerProps = {
  chosen: string;
  onChoose: (id: string) => void;
  /** This server runs nothing dangerous without one. */
  isNeeded: boolean;
};

/** The signed procedure that a dangerous run follows. Nothing where none is registered and none is needed. */
export function SopPicker({ chosen, onChoose, isNeeded }: SopPickerProps) {
  const { data } = useQuery(sopsQuery);
  const usable = data?.items.filter(({ valid }) => valid) ?? [];
  const sop = usable.find(({ id }) => id === chosen);
  if (usable.length === 0 && !isNeeded) return null;
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Procedure it follows"
        required={isNeeded}
        help={
          usable.length === 0
            ? "Dangerous runs need a signed procedure here, and none is registered. An admin can add one."
            : isNeeded
              ? "Dangerous runs need one on this server. Those who sign see it."
              : "Those who sign see it."
        }
      >
        <Select
          value={chosen}
          onChange={({ target }) => onChoose(target.value)}
          options={[
            { value: "", label: isNeeded ? "Choose a procedure" : "None" },
            ...usable.map(({ id, title }) => ({ value: id, label: title })),
          ]}
        />
      </Field>
      {sop ? <SopLink sop={sop} /> : null}
    </div>
  );
}
