import { Section } from "@/components/ui/section";
import type { ApprovalItem } from "@/lib/runner/schema";
import { missingSignaturesText } from "./approval-labels";
import { SignatureList } from "./signature-list";
import { SopLink } from "./sop-link";

/** What the decision rests on: the procedure the run follows, who has signed, and who else can. */
export function ApprovalSigning({ item }: { item: ApprovalItem }) {
  return (
    <>
      {item.sop ? (
        <Section title="Procedure" level={3} className="gap-1.5">
          <SopLink sop={item.sop} />
        </Section>
      ) : null}
      <Section title="Signatures" level={3} className="gap-1.5">
        <Signatures item={item} />
      </Section>
    </>
  );
}

/** Who has signed, and who else can. */
function Signatures({ item }: { item: ApprovalItem }) {
  const { approval, maySign } = item;
  return (
    <div className="flex flex-col gap-2 text-13">
      {approval.by.length > 0 ? <SignatureList decisions={approval.by} /> : null}
      <p>
        {missingSignaturesText(approval)}
        {maySign.length > 0 ? (
          <>
            : <span className="text-muted-foreground">{maySign.map(({ name }) => name).join(", ")}</span>
          </>
        ) : (
          "."
        )}
      </p>
      {maySign.length < approval.needed - approval.given ? (
        <p className="text-warning">
          There are not enough people here who may sign it. An admin can invite another reviewer.
        </p>
      ) : null}
    </div>
  );
}
