"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { SelectionBar } from "@/components/ui/selection-bar";
import type { BulkUpdateAnswer, UpdateItem } from "@/lib/catalog/update/schema";
import { countOf } from "../../skills/skill-words";
import { changeWords } from "./update-words";
import { useTakeUpdates } from "./use-take-update";

type UpdateBarProps = {
  items: readonly UpdateItem[];
  /** Those that could be selected. */
  all: readonly UpdateItem[];
  onSelectAll: () => void;
  onClear: () => void;
  onDone: (answer: BulkUpdateAnswer) => void;
};

const mostAtOnce = 100;

/** Takes several updates at once, after a word. */
export function UpdateBar({ items, all, onSelectAll, onClear, onDone }: UpdateBarProps) {
  const [confirming, setConfirming] = useState(false);
  const take = useTakeUpdates(onDone);
  if (items.length === 0 && !confirming) return null;
  const count = countOf(items.length, "update");
  return (
    <SelectionBar
      label="Actions for selected updates"
      count={items.length}
      onClear={onClear}
      className="min-h-13"
      dialogs={
        <ConfirmDialog
          open={confirming}
          onOpenChange={setConfirming}
          title={`Take ${count}?`}
          description="Each becomes a version that waits for review. What is approved keeps serving until a reviewer has seen the change and approved it."
          confirmLabel={`Take ${count}`}
          onConfirm={() => take.mutateAsync(items.map((item) => item.skillId))}
        >
          <ul className="max-h-48 overflow-y-auto text-13">
            {items.map((item) => (
              <li key={item.skillId} className="flex justify-between gap-4">
                <span className="truncate">{item.skillName}</span>
                <span className="shrink-0 text-muted-foreground">{changeWords(item.files)}</span>
              </li>
            ))}
          </ul>
        </ConfirmDialog>
      }
    >
      <Button size="sm" variant="primary" disabled={items.length > mostAtOnce} onClick={() => setConfirming(true)}>
        Take {count}
      </Button>
      {all.length > items.length ? (
        <Button size="sm" variant="ghost" onClick={onSelectAll}>
          Select all {all.length}
        </Button>
      ) : null}
      {items.length > mostAtOnce ? (
        <span className="text-13 text-muted-foreground">At most {mostAtOnce} at once</span>
      ) : null}
    </SelectionBar>
  );
}
