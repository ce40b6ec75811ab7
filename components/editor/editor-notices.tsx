import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { ApiError } from "@/lib/client/api";

type DraftNoticeProps = { restoredAt: number; onDiscard: () => void };

export function DraftNotice({ restoredAt, onDiscard }: DraftNoticeProps) {
  return (
    <Notice
      className="items-center"
      action={
        <Button size="sm" onClick={onDiscard}>
          Discard
        </Button>
      }
    >
      Draft from <RelativeTime value={new Date(restoredAt).toISOString()} /> restored.
    </Notice>
  );
}

/** The reasons why the server refused to save, each with its path. */
export function SaveError({ error }: { error: unknown }) {
  const reasons = error instanceof ApiError ? error.errors : [];
  return (
    <Notice tone="danger" announce title="Not saved. Your edit is still here.">
      {reasons.length === 0 ? <p>{errorText(error)}</p> : null}
      {reasons.map(({ path, message }) => (
        <p key={`${path}${message}`}>
          {path ? <code className="[overflow-wrap:anywhere]">{path}</code> : null} {message}
        </p>
      ))}
    </Notice>
  );
}
