import { Section } from "@/components/ui/section";
import type { ApprovalItem } from "@/lib/client/approvals";
import { Signatures } from "./signatures";
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
