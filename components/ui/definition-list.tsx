import type { ReactNode } from "react";
import { cn } from "./cn";

type DefinitionListProps = {
  items: readonly { term: string; value: ReactNode }[];
  className?: string;
};

/** Terms with their values: beside one another, on a phone the value below its term. */
export function DefinitionList({ items, className }: DefinitionListProps) {
  return (
    <dl
      className={cn(
        "grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1.5 text-13 sm:grid-cols-[minmax(6rem,auto)_1fr]",
        className,
      )}
    >
      {items.map(({ term, value }) => (
        <div key={term} className="sm:contents">
          <dt className="text-muted-foreground">{term}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
