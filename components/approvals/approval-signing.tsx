import { CircleCheck, CircleX } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import type { ApprovalItem, Run } from "@/lib/runner/schema";
import { missingSignaturesText } from "./approval-labels";
import { SopLink } from "./sop-link";

export function ApprovalSigning({ item }: { item: ApprovalItem }) {
  return (
    <>
      {item.sop ? (
        <Section title="Procedure" level={3} className="gap-1.5">
          <SopLink sop={item.sop} />
        </Section>
      ) : null}
      <Section title="Approvals" level={3} className="gap-1.5">
        <Signatures item={item} />
      </Section>
    </>
  );
}

function Signatures({ item }: { item: ApprovalItem }) {
  const { approval, maySign } = item;
  return (
    <div className="flex flex-col gap-2 text-13">
      {approval.by.length > 0 ? <SignatureList decisions={approval.by} /> : null}
      <p>
        {maySign.length === 0 ? (
          missingSignaturesText(approval)
        ) : (
          <>
            Needs {approval.needed - approval.given} of:{" "}
            <span className="text-muted-foreground">{maySign.map(({ name }) => name).join(", ")}</span>
          </>
        )}
      </p>
      {maySign.length < approval.needed - approval.given ? (
        <p className="text-warning">Too few people may approve this run. Ask an admin to invite another reviewer.</p>
      ) : null}
    </div>
  );
}

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
