import { JsonView, type JsonViewName } from "@/components/json/json-view";
import { useUrlState } from "@/components/state/use-url-params";
import { CodeBlock } from "@/components/ui/code-block";
import { Notice } from "@/components/ui/notice";
import type { Run } from "@/lib/client/runs";
import { explainRun } from "./explain-run";

/** What came out: the result, or why there is none. The view of the result stands in the address. */
export function RunResult({ run }: { run: Run }) {
  const [view, setView] = useUrlState("result");
  if (run.state === "succeeded") {
    return (
      <JsonView
        rich
        value={run.result}
        label="Result"
        filename={`run-${run.id}.json`}
        view={view === "" ? null : (view as JsonViewName)}
        onViewChange={setView}
      />
    );
  }
  const reason = explainRun(run);
  const isFault = run.state === "failed" || run.state === "rejected";
  return (
    <>
      {reason ? (
        <Notice tone={isFault ? "danger" : "neutral"} title={titleOf(run)}>
          <p className="break-words">{reason.what}</p>
          {reason.stderr.length === 0 ? null : (
            <p className="mt-1.5 wrap-anywhere whitespace-pre-wrap font-mono text-xs leading-5">
              {reason.stderr.join("\n")}
            </p>
          )}
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
