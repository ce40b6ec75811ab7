import Link from "next/link";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ApiError } from "@/lib/client/api";
import { decisionResultText } from "./approval-labels";
import type { DecisionOutcome } from "./decision-box";

type OutcomeNoticeProps = {
  runId: string;
  outcome: DecisionOutcome;
  /** False on the run's own page. */
  linked?: boolean;
};

export function OutcomeNotice({ runId, outcome, linked = true }: OutcomeNoticeProps) {
  const action = linked ? <ViewRun runId={runId} /> : null;
  if (outcome.kind === "decided") {
    return (
      <Notice tone={outcome.decision === "approve" ? "success" : "neutral"} announce action={action}>
        <p>{decisionResultText(outcome.decision, outcome.run)}</p>
      </Notice>
    );
  }
  return (
    <Notice tone="danger" announce title={refusalTitle(outcome.error)} action={action}>
      <p className="break-words">{errorText(outcome.error)}</p>
    </Notice>
  );
}

export function ViewRun({ runId }: { runId: string }) {
  return (
    <Button size="sm" asChild>
      <Link href={`/runs/${runId}`}>View run</Link>
    </Button>
  );
}

function refusalTitle(error: Error): string {
  const code = error instanceof ApiError ? error.code : "";
  if (code === "conflict") return "Already decided";
  if (code === "separation_of_duties") return "Another person has to decide";
  if (code === "forbidden") return "You may not decide on this run";
  return "The decision was not recorded";
}
