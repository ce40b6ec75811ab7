import { Section } from "@/components/ui/section";
import type { ApprovalItem } from "@/lib/runner/schema";
import { missingSignaturesText } from "./approval-labels";
import { SignatureList } from "./signature-list";
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
