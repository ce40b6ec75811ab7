import type { ReactNode } from "react";

/** Content that opens below its summary. */
export function Folded({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm text-13 text-muted-foreground hover:text-foreground">
        {summary}
      </summary>
      <div className="mt-3">{children}</div>
    </details>
  );
}
