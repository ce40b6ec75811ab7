import type { ComponentProps, ReactNode } from "react";
import { Input } from "@/components/ui/input";

type PasswordInputProps = ComponentProps<"input"> & { aside: ReactNode };

/** An input with a button inside its right end; it hands on what Field gives it. */
export function PasswordInput({ aside, ...props }: PasswordInputProps) {
  return (
    <div className="relative">
      <Input autoCapitalize="none" autoCorrect="off" spellCheck={false} className="h-10 pr-10" {...props} />
      {aside}
    </div>
  );
}
