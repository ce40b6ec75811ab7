"use client";

import { useId } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import type { Role } from "@/lib/client/me";
import { scopesOf, type TokenScope } from "./scope-words";

type ScopePickerProps = {
  role: Role;
  chosen: readonly TokenScope[];
  onChange: (scopes: TokenScope[]) => void;
  error: string | undefined;
};

export function ScopePicker({ role, chosen, onChange, error }: ScopePickerProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-13">It may</legend>
      {scopesOf(role).map(({ scope, label, explanation }) => (
        <div key={scope} className="flex items-start gap-2.5">
          <Checkbox
            id={`${id}-${scope}`}
            className="mt-0.5"
            aria-describedby={`${id}-${scope}-help`}
            checked={chosen.includes(scope)}
            onCheckedChange={(isOn) =>
              onChange(isOn === true ? [...chosen, scope] : chosen.filter((other) => other !== scope))
            }
          />
          <div className="text-13">
            <label htmlFor={`${id}-${scope}`} className="font-medium">
              {label}
            </label>
            <p id={`${id}-${scope}-help`} className="text-muted-foreground text-xs">
              {explanation}
            </p>
          </div>
        </div>
      ))}
      {error ? (
        <p id={`${id}-error`} role="alert" className="text-13 text-danger">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
