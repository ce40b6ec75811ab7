"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ChangeEventHandler, type ComponentProps, type ReactNode, useState } from "react";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";

type PasswordFieldProps = {
  label?: string;
  value: string;
  onChange: ChangeEventHandler<HTMLInputElement>;
  autoComplete: "current-password" | "new-password";
  error?: string | undefined;
  help?: string;
};

export function PasswordField({ label = "Password", value, onChange, autoComplete, error, help }: PasswordFieldProps) {
  const [visible, setVisible] = useState(false);
  return (
    <Field label={label} error={error} help={help} required>
      <PasswordInput
        name="password"
        type={visible ? "text" : "password"}
        value={value}
        onChange={onChange}
        autoComplete={autoComplete}
        aside={
          <IconButton
            label={visible ? "Hide password" : "Show password"}
            size="sm"
            className="absolute top-1.5 right-1.5 text-muted-foreground"
            onClick={() => setVisible(!visible)}
          >
            {visible ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          </IconButton>
        }
      />
    </Field>
  );
}

type PasswordInputProps = ComponentProps<"input"> & { aside: ReactNode };

function PasswordInput({ aside, ...props }: PasswordInputProps) {
  return (
    <div className="relative">
      <Input autoCapitalize="none" autoCorrect="off" spellCheck={false} className="h-10 pr-10" {...props} />
      {aside}
    </div>
  );
}
