import { cn } from "@/components/ui/cn";

/** A green dot beside what goes on. */
export function LiveDot({ on, label = "Live" }: { on: boolean; label?: string }) {
  return (
    <span
      {...(on ? { role: "img", "aria-label": label, title: label } : { "aria-hidden": true })}
      className={cn("size-2 shrink-0 rounded-full", on ? "bg-success-mark" : "border border-border")}
    />
  );
}
