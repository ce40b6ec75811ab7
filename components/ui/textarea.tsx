import type { ComponentProps } from "react";
import { cn } from "./cn";
import { controlStyles } from "./input";

export function Textarea({ className, rows = 4, ...props }: ComponentProps<"textarea">) {
  return <textarea rows={rows} className={cn(controlStyles, "min-h-16 resize-y py-1.5", className)} {...props} />;
}
