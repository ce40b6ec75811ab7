import type { Draft } from "./draft";
import type { Finding, Severity } from "./schema";

type Raised = Draft & Pick<Finding, "raisedBy">;

/** What a chain is made of: a finding of the first kind weighs more when there is one of the second. */
const CHAINS: { from: RegExp; with: RegExp; to: Severity; at: (draft: Draft) => boolean; sameFile?: true }[] = [
  { from: /^EXF-003/, with: /^CRD-00[123]/, to: "high", at: ({ severity }) => severity === "medium", sameFile: true },
  { from: /^EXF/, with: /^CRD-00[1236]/, to: "critical", at: isHigh },
  { from: /^DLX/, with: /^OBF-00[12]/, to: "critical", at: isHigh },
  { from: /^HID/, with: /^(?!HID|OBF-004|MAN)/, to: "critical", at: isHigh },
  { from: /^AGT/, with: /^DLX/, to: "critical", at: isHigh },
];

/** Chains matter more than single hits: credentials read and data sent, a download behind an encoding. */
export function raiseFindings(drafts: Draft[]): Raised[] {
  const strong = drafts.filter((draft) => draft.severity === "critical" || draft.severity === "high");
  return drafts.map((draft) => {
    if (draft.rule === "OBF-001") return raiseEncoded(draft, strong);
    for (const chain of CHAINS) {
      if (!chain.from.test(draft.rule) || !chain.at(draft)) continue;
      const partner = strong.find(
        (other) => chain.with.test(other.rule) && (!chain.sameFile || other.path === draft.path),
      );
      if (partner !== undefined) return { ...draft, severity: chain.to, raisedBy: partner.rule };
    }
    return { ...draft, raisedBy: null };
  });
}

/** An encoded text weighs what is found in it. */
function raiseEncoded(draft: Draft, strong: Draft[]): Raised {
  const inside = strong.find(
    ({ path, line, view }) => path === draft.path && line === draft.line && /^(base64|hex)-decoded$/.test(view),
  );
  return inside === undefined ? { ...draft, raisedBy: null } : { ...draft, severity: "high", raisedBy: inside.rule };
}

function isHigh({ severity }: Draft): boolean {
  return severity === "high";
}
