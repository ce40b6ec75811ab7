import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { cn } from "./cn";

export type Crumb = { label: string; href?: string };

type BreadcrumbProps = { items: readonly Crumb[]; className?: string };

/** The last entry is the current page. */
export function Breadcrumb({ items, className }: BreadcrumbProps) {
  return (
    <nav aria-label="Breadcrumb" className={cn("min-w-0", className)}>
      <ol className="flex min-w-0 items-center gap-1 text-13">
        {items.map(({ label, href }, index) => {
          const isLast = index === items.length - 1;
          return (
            <li key={`${href ?? ""}${label}`} className={cn("flex min-w-0 items-center gap-1", !isLast && "shrink-0")}>
              {index > 0 ? <ChevronRight aria-hidden className="size-3.5 shrink-0 text-muted-foreground" /> : null}
              {href && !isLast ? (
                <Link
                  href={href}
                  className="truncate rounded-sm px-1 py-0.5 text-muted-foreground hover:text-foreground"
                >
                  {label}
                </Link>
              ) : (
                <span
                  aria-current={isLast ? "page" : undefined}
                  title={label}
                  className="truncate px-1 py-0.5 font-medium"
                >
                  {label}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
