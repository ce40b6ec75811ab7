"use client";

import { Download, Trash2, X } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { IconButton } from "@/components/ui/icon-button";
import type { Skill } from "@/lib/skills/schema";
import { countOf, displayName } from "./skill-words";
import { useBulkActions } from "./use-bulk-actions";

type BulkBarProps = { skills: readonly Skill[]; onDone: () => void };

/** What can be done with the selected skills: lies over the toolbar, so that selecting moves nothing, and stays in view. */
export function BulkBar({ skills, onDone }: BulkBarProps) {
  const [confirming, setConfirming] = useState(false);
  const { busy, switchAll, deleteAll, exportAll } = useBulkActions(skills, onDone);
  if (skills.length === 0 && !confirming) return null;
  return (
    <div className="-mb-4 sticky top-[calc(var(--topbar-height)+0.75rem)] z-20 h-0">
      <section
        aria-label="Actions for selected skills"
        className="-inset-x-1.5 -top-1.5 absolute flex animate-fade items-center gap-1 rounded-lg border bg-popover p-1.5 shadow-float"
      >
        <span role="status" className="whitespace-nowrap px-2 text-13 tabular-nums">
          {skills.length} <span className="max-sm:sr-only">selected</span>
        </span>
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
        <IconButton label="Clear the selection" size="sm" className="ml-auto" onClick={onDone}>
          <X aria-hidden />
        </IconButton>
      </section>
      <ConfirmDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={`Delete ${countOf(skills.length, "skill")}?`}
        description="They are switched off and taken away from everybody, at once. Their versions and runs stay readable in the audit trail. This cannot be undone; importing the same files makes new skills."
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
    </div>
  );
}
