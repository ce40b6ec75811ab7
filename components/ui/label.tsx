import type { ComponentProps } from "react";
import { cn } from "./cn";

type LabelProps = Omit<ComponentProps<"label">, "htmlFor"> & { htmlFor: string };

export function Label({ className, htmlFor, ...props }: LabelProps) {
  return <label htmlFor={htmlFor} className={cn("font-medium text-13", className)} {...props} />;
}
