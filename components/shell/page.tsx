import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

type PageProps = {
  title: ReactNode;
  /** Next to the title: chips, a digest. */
  aside?: ReactNode;
  description?: ReactNode;
  /** Buttons on the right, the main one last. */
  actions?: ReactNode;
  /** `full` for logs, diffs and workspaces. */
  width?: "content" | "full";
  children: ReactNode;
  className?: string;
};

/** Heading and content of a page, 1,200 px wide at most. */
export function Page({ title, aside, description, actions, width = "content", children, className }: PageProps) {
  return (
    <div
      className={cn(
        "flex w-full flex-1 flex-col gap-4 px-4 py-5 md:px-6",
        width === "content" && "mx-auto max-w-[1248px]",
        className,
      )}
    >
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-2">
            <h1 className="break-words">{title}</h1>
            {aside}
          </div>
          {description ? <div className="mt-0.5 max-w-prose text-muted-foreground">{description}</div> : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}

export function MessageArea({ children }: { children: ReactNode }) {
  return <div className="mx-auto w-full max-w-[25rem] px-4 py-16">{children}</div>;
}
