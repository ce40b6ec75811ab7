"use client";

import { DiagnosticList } from "@/components/code/diagnostic-list";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { countOf } from "../skills/skill-words";

type ProblemsPaneProps = { diagnostics: readonly Diagnostic[]; onJump: (diagnostic: Diagnostic) => void };

/** What the reader says of the files now; what has a line leads there. */
export function ProblemsPane({ diagnostics, onJump }: ProblemsPaneProps) {
  return (
    <>
      <h2 className="px-3 pt-2 pb-1 font-medium text-13">
        <span role="status">{summaryOf(diagnostics)}</span>
      </h2>
      {diagnostics.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div tabIndex={0} className="min-h-0 flex-1 overflow-y-auto px-1 pb-2 focus-visible:-outline-offset-2">
          <DiagnosticList diagnostics={diagnostics} onJump={onJump} />
        </div>
      ) : null}
    </>
  );
}

function summaryOf(diagnostics: readonly Diagnostic[]): string {
  const count = (severity: Diagnostic["severity"]) => diagnostics.filter((item) => item.severity === severity).length;
  const words = [
    [count("error"), "error"],
    [count("warning"), "warning"],
    [count("info"), "note"],
  ] as const;
  const parts = words.filter(([number]) => number > 0).map(([number, noun]) => countOf(number, noun));
  return parts.length === 0 ? "No problems" : parts.join(", ");
}
