import { type ReactNode, useId } from "react";
import { cn } from "./cn";

type PanelProps = {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** False lets a table or a list reach the border. */
  padded?: boolean;
  className?: string;
};

/** A bordered area. Never put one inside another: use Section inside. */
export function Panel({ title, description, actions, children, padded = true, className }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={title ? id : undefined} className={cn("rounded-md border", className)}>
      {title ? (
        <header className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b px-4 py-1.5">
          <div className="min-w-0">
            <h2 id={id} className="text-sm">
              {title}
            </h2>
            {description ? <p className="text-muted-foreground text-xs">{description}</p> : null}
          </div>
          {actions ? <div className="flex items-center gap-2">{actions}</div> : null}
        </header>
      ) : null}
      <div className={padded ? "p-4" : ""}>{children}</div>
    </section>
  );
}
