import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Tone } from "./badge";
import { cn } from "./cn";

type NoticeProps = {
  tone?: Exclude<Tone, "accent">;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** Announces the notice to screen readers when it appears. */
  announce?: boolean;
  className?: string;
};

const looks: Record<Exclude<Tone, "accent">, { classes: string; icon: string; Icon: LucideIcon }> = {
  neutral: { classes: "bg-muted", icon: "text-muted-foreground", Icon: Info },
  success: { classes: "border-success-line bg-success-soft", icon: "text-success", Icon: CircleCheck },
  warning: { classes: "border-warning-line bg-warning-soft", icon: "text-warning", Icon: TriangleAlert },
  danger: { classes: "border-danger-line bg-danger-soft", icon: "text-danger", Icon: CircleAlert },
};

/** An inline message: a form error, a warning before a run. */
export function Notice({ tone = "neutral", title, children, action, announce = false, className }: NoticeProps) {
  const { classes, icon, Icon } = looks[tone];
  return (
    <div
      role={announce ? "alert" : undefined}
      className={cn("flex items-start gap-2 rounded-md border px-3 py-2 text-13", classes, className)}
    >
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", icon)} />
      <div className="min-w-0 flex-1">
        {title ? <p className="font-medium">{title}</p> : null}
        {children}
      </div>
      {action}
    </div>
  );
}
