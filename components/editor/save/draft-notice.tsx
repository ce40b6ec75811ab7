import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";

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
