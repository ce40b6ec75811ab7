"use client";

import { useQuery } from "@tanstack/react-query";
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent } from "@/components/ui/dialog";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { exportPath } from "@/lib/client/skills";
import { versionAdviceQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import { displayName } from "../skill-words";

type ExportSpecDialogProps = { skill: Skill; digest: string; onOpenChange: (open: boolean) => void };

/** What the standard form cannot express is listed before the download. */
export function ExportSpecDialog({ skill, digest, onOpenChange }: ExportSpecDialogProps) {
  const advice = useQuery(versionAdviceQuery(skill.id, digest));
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title={`Export ${displayName(skill)} in the standard form`}
        description="A SKILL.md that other agents accept. The stored bytes stay as they are."
        footer={
          <Button asChild variant="primary">
            <a href={exportPath(skill.id, digest, "spec")} download onClick={() => onOpenChange(false)}>
              Download
            </a>
          </Button>
        }
      >
        <QueryState query={advice} loading={<SkeletonRows rows={3} />}>
          {({ specLosses }) =>
            specLosses.length === 0 ? (
              <p className="text-13">Nothing is lost: another agent reads everything this skill says.</p>
            ) : (
              <DiagnosticList diagnostics={specLosses} />
            )
          }
        </QueryState>
      </DialogContent>
    </Dialog>
  );
}
