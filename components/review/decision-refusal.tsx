import { errorText } from "@/components/state/describe-error";
import { Notice } from "@/components/ui/notice";
import { ApiError } from "@/lib/client/api";

/** Why a decision was not recorded, and what can be done about it. */
export function DecisionRefusal({ error }: { error: unknown }) {
  const { title, advice } = explain(error);
  return (
    <Notice tone="danger" announce title={title}>
      <p>{errorText(error)}</p>
      {advice ? <p className="text-muted-foreground">{advice}</p> : null}
    </Notice>
  );
}

function explain(error: unknown): { title: string; advice: string } {
  const code = error instanceof ApiError ? error.code : "";
  switch (code) {
    case "separation_of_duties":
      return { title: "Somebody else has to decide", advice: "Ask another reviewer; the version stays in the queue." };
    case "conflict":
      return {
        title: "Somebody was faster",
        advice: "What is shown here is current now. Look again before you decide.",
      };
    case "forbidden":
      return { title: "You may not decide on this version", advice: "" };
    default:
      return { title: "The decision was not recorded", advice: "" };
  }
}
