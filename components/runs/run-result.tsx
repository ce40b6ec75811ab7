import { JsonView } from "@/components/json/json-view";
import { CodeBlock } from "@/components/ui/code-block";
import { Notice } from "@/components/ui/notice";
import type { Run } from "@/lib/client/runs";
import { explainRun } from "./run-times";

/** What came out: the result, or why there is none. */
export function RunResult({ run }: { run: Run }) {
  if (run.state === "succeeded") return <JsonView value={run.result} label="Result" filename={`run-${run.id}.json`} />;
  const reason = explainRun(run);
  const isFault = run.state === "failed" || run.state === "rejected";
  return (
    <>
      {reason ? (
        <Notice tone={isFault ? "danger" : "neutral"} title={titleOf(run)}>
          <p className="break-words">{reason}</p>
        </Notice>
      ) : null}
      {run.rawOutput === null ? null : (
        <CodeBlock
          code={run.rawOutput}
          label="What it printed, which is not one JSON value"
          wrap
          className="max-h-96"
        />
      )}
    </>
  );
}

/** The error says what happened; a title only adds what kind of thing that is. */
function titleOf(run: Run): string | null {
  switch (run.state) {
    case "failed":
      return run.timedOut
        ? "The run took too long"
        : run.error?.code === "invalid_output"
          ? "The output is not valid"
          : "The run failed";
    case "rejected":
      return "The run was rejected";
    case "expired":
      return "Nobody decided in time";
    default:
      return null;
  }
}
