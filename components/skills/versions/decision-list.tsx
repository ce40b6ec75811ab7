import { RevealedText } from "@/components/code/hidden-notice";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { ClassChip } from "@/components/ui/class-chip";
import { RelativeTime } from "@/components/ui/relative-time";
import type { VersionDecision } from "@/lib/skills/versions/schema";
import { trustSentence } from "./provenance-list";

export const decisionVerbs: Record<VersionDecision["decision"], string> = {
  approve: "approved",
  request_changes: "requested changes",
  reject: "rejected",
  revoke: "revoked the approval",
  activate: "activated it",
};

export function DecisionList({ decisions }: { decisions: readonly VersionDecision[] }) {
  if (decisions.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2 text-13">
      {decisions.map((decision) => (
        <li key={decision.id} className="flex items-start gap-2">
          <Avatar name={decision.actor.name} size="sm" />
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
              <span className="font-medium">{decision.actor.name}</span>
              <span>{decisionVerbs[decision.decision]}</span>
              {decision.class ? (
                <>
                  <span>as</span>
                  <ClassChip value={decision.class} />
                </>
              ) : null}
              <RelativeTime value={decision.createdAt} className="text-muted-foreground" />
              {decision.soloMode ? (
                <Badge title="Solo mode was on: one person may import and approve the same skill">Solo mode</Badge>
              ) : null}
              <SignatureBadge decision={decision} />
            </p>
            {decision.comment ? (
              <p className="mt-1 whitespace-pre-wrap border-l-2 pl-2 [overflow-wrap:anywhere]">
                <RevealedText text={decision.comment} />
              </p>
            ) : null}
          </div>
        </li>
      ))}
    </ul>
  );
}

const standings = {
  open: { tone: "warning", word: "Needs more approvals" },
  void: { tone: "neutral", word: "No longer valid" },
} as const;

function SignatureBadge({ decision: { standing, trust, signature } }: { decision: VersionDecision }) {
  if (trust.signature === "failed" && signature !== null) {
    return (
      <Badge tone="danger" title={trust.problem ?? undefined}>
        Signature invalid
      </Badge>
    );
  }
  if (standing === "open" || standing === "void") {
    const { tone, word } = standings[standing];
    return <Badge tone={tone}>{word}</Badge>;
  }
  return standing === "counts" ? (
    <Badge tone="success" title={trustSentence(trust)}>
      Signed
    </Badge>
  ) : null;
}
