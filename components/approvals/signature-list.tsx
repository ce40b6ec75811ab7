import { CircleCheck, CircleX } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Run } from "@/lib/runner/schema";

type Decisions = NonNullable<Run["approval"]>["by"];

export function SignatureList({ decisions }: { decisions: Decisions }) {
  return (
    <ul aria-label="Decisions" className="flex flex-col gap-2">
      {decisions.map(({ person, decision, comment, soloMode, at }) => (
        <li key={person.id} className="flex items-start gap-2 text-13">
          {decision === "approve" ? (
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
          ) : (
            <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
          )}
          <div className="min-w-0">
            <p>
              <span className="font-medium">{person.name}</span> {decision === "approve" ? "approved" : "rejected"}{" "}
              <RelativeTime value={at} className="text-muted-foreground" />{" "}
              {soloMode ? <Badge tone="warning">Solo mode</Badge> : null}
            </p>
            {comment ? <p className="whitespace-pre-wrap break-words text-muted-foreground">{comment}</p> : null}
          </div>
        </li>
      ))}
    </ul>
  );
}
