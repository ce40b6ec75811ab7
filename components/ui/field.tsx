import { CircleAlert } from "lucide-react";
import * as Slot from "radix-ui/slot";
import { type ComponentProps, type ReactElement, type ReactNode, useId } from "react";
import { cn } from "./cn";

type LabelProps = Omit<ComponentProps<"label">, "htmlFor"> & { htmlFor: string };

export function Label({ className, htmlFor, ...props }: LabelProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the text comes as children
    <label htmlFor={htmlFor} className={cn("font-medium text-13", className)} {...props} />
  );
}

type FieldProps = {
  label: ReactNode;
  /** One control, which receives id, aria-describedby, aria-invalid and aria-required. */
  children: ReactElement;
  help?: ReactNode;
  error?: string | undefined;
  required?: boolean;
  optional?: boolean;
  className?: string;
};

export function Field({ label, children, help, error, required, optional, className }: FieldProps) {
  const id = useId();
  const describedBy = [error ? `${id}-error` : "", help ? `${id}-help` : ""].filter(Boolean).join(" ");
  return (
    <div className={cn("flex flex-col gap-1.5", className)}>
      <div className="flex items-baseline justify-between gap-2">
        <Label htmlFor={id}>{label}</Label>
        {optional ? <span className="text-muted-foreground text-xs">Optional</span> : null}
      </div>
      <Slot.Root
        id={id}
        aria-describedby={describedBy || undefined}
        aria-invalid={error ? true : undefined}
        aria-required={required || undefined}
      >
        {children}
      </Slot.Root>
      {error ? (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-13 text-danger">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      ) : null}
      {help ? (
        <div id={`${id}-help`} className="text-muted-foreground text-xs leading-4">
          {help}
        </div>
      ) : null}
    </div>
  );
}
