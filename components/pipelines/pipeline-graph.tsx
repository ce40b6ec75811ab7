import { ArrowRight, TriangleAlert } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { RevealedText } from "@/components/code/hidden-notice";

export type GraphStep = {
  index: number;
  /** The name of its result. */
  stepKey: string;
  /** The name of the called skill or tool. */
  name: string;
  calls: "skill" | "tool";
  /** The link of its title; null without a page. */
  href: string | null;
  chips: ReactNode;
  note?: ReactNode;
  problem?: string | null;
};

/** The steps of a pipeline as an ordered list: horizontal, on narrow screens vertical. */
export function PipelineGraph({ label, steps }: { label: string; steps: readonly GraphStep[] }) {
  return (
    <ol aria-label={label} className="flex flex-wrap items-stretch gap-y-3 max-sm:flex-col">
      {steps.map((step) => (
        <li key={step.index} className="flex min-w-0 items-center max-sm:flex-col max-sm:items-stretch sm:max-w-64">
          {step.index === 0 ? null : (
            <ArrowRight
              aria-hidden
              className="mx-2 size-4 shrink-0 text-muted-foreground max-sm:mx-auto max-sm:mb-3 max-sm:rotate-90"
            />
          )}
          <Step {...step} />
        </li>
      ))}
    </ol>
  );
}

function Step({ index, stepKey, name, calls, href, chips, note, problem }: GraphStep) {
  const title = <RevealedText text={name} />;
  return (
    <div className="flex h-full min-w-0 flex-1 flex-col gap-1 rounded-md border bg-card px-3 py-2 text-13">
      <p className="truncate text-muted-foreground text-xs">
        Step {index + 1} · <RevealedText text={stepKey} />
      </p>
      <p className="min-w-0 font-medium [overflow-wrap:anywhere]">
        {href === null ? (
          title
        ) : (
          <Link href={href} className="text-primary underline underline-offset-2">
            {title}
          </Link>
        )}
        <span className="sr-only">, a {calls}</span>
      </p>
      <p className="flex flex-wrap items-center gap-1">{chips}</p>
      {note ? <p className="text-muted-foreground text-xs [overflow-wrap:anywhere]">{note}</p> : null}
      {problem ? (
        <p className="flex items-start gap-1 text-warning text-xs">
          <TriangleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <RevealedText text={problem} />
          </span>
        </p>
      ) : null}
    </div>
  );
}
