import type { LucideIcon } from "lucide-react";
import { cn } from "@/components/ui/cn";

/** The icon of a step on the line of a trace. Its container must be `relative`. */
export function StepMark({ Icon, title, isRed = false }: { Icon: LucideIcon; title?: string; isRed?: boolean }) {
  return (
    <span
      title={title}
      className={cn(
        "absolute top-1.5 -left-3 flex size-6 items-center justify-center rounded-full border bg-background",
        isRed && "border-danger-line bg-danger-soft text-danger",
      )}
    >
      <Icon aria-hidden strokeWidth={1.75} className="size-3.5" />
    </span>
  );
}
