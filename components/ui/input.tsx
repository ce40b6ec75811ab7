import type { ComponentProps } from "react";
import { cn } from "./cn";

export const controlStyles =
  "w-full rounded-md border border-input bg-background px-2.5 text-sm transition-colors duration-100 focus-visible:border-ring focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:bg-muted disabled:text-muted-foreground [&[readonly]]:bg-muted aria-invalid:border-danger max-md:text-base";

type InputProps = ComponentProps<"input">;

export function Input({ className, type = "text", ...props }: InputProps) {
  return <input type={type} className={cn(controlStyles, "h-8", className)} {...props} />;
}
