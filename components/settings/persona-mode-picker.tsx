"use client";

import { useId } from "react";
import type { PermissionMode } from "@/lib/client/personas";
import { modes, modeWords } from "./persona-words";

type ModePickerProps = { value: PermissionMode; onChange: (mode: PermissionMode) => void };

export function ModePicker({ value, onChange }: ModePickerProps) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-13">What it may do</legend>
      {modes.map((mode) => (
        <div key={mode} className="flex items-start gap-2.5 text-13">
          <input
            type="radio"
            id={`${id}-${mode}`}
            name={id}
            className="mt-0.5 size-4 shrink-0 accent-primary"
            checked={mode === value}
            aria-describedby={`${id}-${mode}-help`}
            onChange={() => onChange(mode)}
          />
          <div>
            <label htmlFor={`${id}-${mode}`} className="font-medium">
              {modeWords[mode].label}
            </label>
            <p id={`${id}-${mode}-help`} className="text-muted-foreground text-xs">
              {modeWords[mode].explanation}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}
