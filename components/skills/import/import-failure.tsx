import { describeError, errorText } from "@/components/state/describe-error";
import { Notice } from "@/components/ui/notice";
import { ApiError } from "@/lib/client/api";
import { UnusablePick } from "./pack-files";

type ImportFailureProps = {
  error: unknown /** Whether the import itself failed, not the look before it. */;
  wasImport: boolean;
};

/** Why an upload was refused, each reason with its place. Nothing was stored. */
export function ImportFailure({ error, wasImport }: ImportFailureProps) {
  const isUnknown = error instanceof ApiError && wasImport && (error.status === 0 || error.status >= 500);
  const reasons = error instanceof ApiError ? error.errors : [];
  const requestId = error instanceof ApiError ? describeError(error).requestId : null;
  return (
    <Notice tone="danger" announce title={error instanceof UnusablePick ? error.message : errorText(error)}>
      {reasons.length > 0 ? (
        <ul className="mt-1 flex flex-col gap-1">
          {reasons.map((reason) => (
            <li key={`${reason.path}${reason.message}`} className="[overflow-wrap:anywhere]">
              {reason.path ? <code className="font-mono text-xs">{reason.path}</code> : null} {reason.message}
            </li>
          ))}
        </ul>
      ) : null}
      <p className="mt-1 text-muted-foreground">
        {isUnknown
          ? "Whether it was stored is not known. Importing again is safe: nothing is stored twice."
          : "Nothing was stored."}
        {requestId ? <span className="block text-xs">Request {requestId}</span> : null}
      </p>
    </Notice>
  );
}
