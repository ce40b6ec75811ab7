import { type ReactNode, useId } from "react";
import { cn } from "./cn";

type SectionProps = {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** 3 inside another Section. */
  level?: 2 | 3;
  className?: string;
};

export function Section({ title, description, actions, children, level = 2, className }: SectionProps) {
  const id = useId();
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <section aria-labelledby={id} className={cn("flex flex-col gap-3", className)}>
      <header className="flex flex-wrap items-end justify-between gap-2">
        <div className="min-w-0">
          <Heading id={id}>{title}</Heading>
          {description ? <p className="text-13 text-muted-foreground">{description}</p> : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </header>
      {children}
    </section>
  );
}
