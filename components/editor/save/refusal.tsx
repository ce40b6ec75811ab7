import { errorText } from "@/components/state/describe-error";
import { Notice } from "@/components/ui/notice";
import { ApiError } from "@/lib/client/api";

/** Why something was not saved, each reason with its place. */
export function Refusal({ error }: { error: unknown }) {
  const reasons = error instanceof ApiError ? error.errors : [];
  return (
    <Notice tone="danger" announce title="It was not saved. Your edit is still here.">
      {reasons.length === 0 ? <p>{errorText(error)}</p> : null}
      {reasons.map(({ path, message }) => (
        <p key={`${path}${message}`}>
          {path ? <code className="[overflow-wrap:anywhere]">{path}</code> : null} {message}
        </p>
      ))}
    </Notice>
  );
}
