"use client";

import { useState } from "react";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { PlaygroundLimits } from "@/lib/client/playground";
import { limitRanges } from "./choice";

type LimitFieldsProps = { limits: PlaygroundLimits; onChange: (limits: PlaygroundLimits) => void };

const labels: Record<keyof PlaygroundLimits, string> = { steps: "Steps", tokens: "Tokens", seconds: "Seconds" };

/** How far one answer may go. */
export function LimitFields({ limits, onChange }: LimitFieldsProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-13">Limits of one answer</legend>
      <div className="grid grid-cols-3 gap-4">
        {(["steps", "tokens", "seconds"] as const).map((key) => (
          <LimitField
            key={key}
            label={labels[key]}
            value={limits[key]}
            range={limitRanges[key]}
            onChange={(value) => onChange({ ...limits, [key]: value })}
          />
        ))}
      </div>
    </fieldset>
  );
}

type LimitFieldProps = {
  label: string;
  value: number;
  range: { min: number; max: number };
  onChange: (value: number) => void;
};

/** Only what the server would take leaves the field. */
function LimitField({ label, value, range: { min, max }, onChange }: LimitFieldProps) {
  const [text, setText] = useState(String(value));
  const typed = Number(text);
  const isTaken = text.trim() !== "" && Number.isInteger(typed) && typed >= min && typed <= max;
  return (
    <Field
      label={label}
      error={isTaken ? undefined : `A whole number from ${min} to ${max.toLocaleString("en-GB")}; ${value} stays.`}
    >
      <Input
        type="number"
        inputMode="numeric"
        min={min}
        max={max}
        value={text}
        className="tabular-nums"
        onChange={({ target }) => {
          setText(target.value);
          const next = Number(target.value);
          if (target.value.trim() !== "" && Number.isInteger(next) && next >= min && next <= max) onChange(next);
        }}
      />
    </Field>
  );
}
