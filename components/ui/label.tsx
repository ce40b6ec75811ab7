import type { ComponentProps } from "react";
import { cn } from "./cn";

type LabelProps = Omit<ComponentProps<"label">, "htmlFor"> & { htmlFor: string };

export function Label({ className, htmlFor, ...props }: LabelProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the text comes as children
    <label htmlFor={htmlFor} className={cn("font-medium text-13", className)} {...props} />
  );
}
