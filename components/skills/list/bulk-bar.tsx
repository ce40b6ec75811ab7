import { Download, Trash2 } from "lucide-react";
import { useState } from "react";
import { countOf, displayName } from "@/components/skills/skill-labels";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { SelectionBar } from "@/components/ui/selection-bar";
import type { Skill } from "@/lib/skills/schema";
import { useBulkActions } from "./use-bulk-actions";

type BulkBarProps = { skills: readonly Skill[]; onDone: () => void };

/** Actions for the selected skills. */
export function BulkBar({ skills, onDone }: BulkBarProps) {
  const [confirming, setConfirming] = useState(false);
  const { busy, switchAll, deleteAll, exportAll } = useBulkActions(skills, onDone);
  if (skills.length === 0 && !confirming) return null;
  return (
    <SelectionBar
      label="Actions for selected skills"
      count={skills.length}
      onClear={onDone}
      dialogs={
        <ConfirmDialog
          open={confirming}
          onOpenChange={setConfirming}
          title={`Delete ${countOf(skills.length, "skill")}?`}
          description="The skills are switched off and removed for everyone immediately. Their versions and runs stay in the audit log. This cannot be undone. Importing the same files creates new skills."
          confirmLabel={`Delete ${countOf(skills.length, "skill")}`}
          tone="danger"
          onConfirm={deleteAll}
        >
          <ul className="max-h-40 overflow-y-auto text-13">
            {skills.map((skill) => (
              <li key={skill.id} className="truncate">
                {displayName(skill)}
              </li>
            ))}
          </ul>
        </ConfirmDialog>
      }
    >
      <Button size="sm" pending={busy === "on"} onClick={() => void switchAll(true)}>
        Switch on
      </Button>
      <Button size="sm" pending={busy === "off"} onClick={() => void switchAll(false)}>
        Switch off
      </Button>
      <Button size="sm" variant="ghost" pending={busy === "export"} onClick={() => void exportAll()}>
        <Download aria-hidden />
        <span className="max-sm:sr-only">Export</span>
      </Button>
      <Button size="sm" variant="ghost" className="text-danger" onClick={() => setConfirming(true)}>
        <Trash2 aria-hidden />
        <span className="max-sm:sr-only">Delete</span>
      </Button>
    </SelectionBar>
  );
}
