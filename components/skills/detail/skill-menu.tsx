"use client";

import { useQueryClient } from "@tanstack/react-query";
import {
  CircleSlash,
  ClipboardCopy,
  Download,
  Ellipsis,
  FileOutput,
  Flag,
  FlaskConical,
  ListPlus,
  PencilLine,
  Plug,
  Trash2,
} from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { AddToCollectionDialog } from "@/components/collections/add-to-collection-dialog";
import { tryHref } from "@/components/playground/choice";
import { useCopy } from "@/components/state/use-copy";
import { useMe } from "@/components/state/use-me";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { IconButton } from "@/components/ui/icon-button";
import { useToast } from "@/components/ui/toast";
import { deleteSkill, exportPath, oneSkillKey, skillListsKey } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";
import { canManage } from "../can-manage";
import { DeprecateDialog } from "../marks/deprecate-dialog";
import { ReportDialog } from "../marks/report-dialog";
import { displayName, editHref } from "../skill-words";
import { ExportSpecDialog } from "./export-spec-dialog";

export function SkillMenu({ skill }: { skill: Skill }) {
  const [confirming, setConfirming] = useState(false);
  const [isExporting, setIsExporting] = useState(false);
  const [dialog, setDialog] = useState<"collection" | "report" | "deprecate" | null>(null);
  const closeDialog = () => setDialog(null);
  const exported = skill.currentVersion ?? skill.pendingVersion;
  const { copy } = useCopy();
  const { toast } = useToast();
  const router = useRouter();
  const queryClient = useQueryClient();
  const me = useMe();
  const name = displayName(skill);

  const remove = async () => {
    await deleteSkill(skill.id);
    router.push("/skills");
    toast({ title: `${name} is deleted.` });
    queryClient.removeQueries({ queryKey: [...oneSkillKey, skill.id] });
    void queryClient.invalidateQueries({ queryKey: skillListsKey });
  };

  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <IconButton label={`More for ${name}`} variant="secondary">
            <Ellipsis aria-hidden />
          </IconButton>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          {canManage(skill, me) ? (
            <DropdownMenuItem asChild>
              <Link href={editHref(skill)}>
                <PencilLine aria-hidden />
                Edit
              </Link>
            </DropdownMenuItem>
          ) : null}
          <DropdownMenuItem asChild>
            <a href={exportPath(skill.id)} download>
              <Download aria-hidden />
              Export original
            </a>
          </DropdownMenuItem>
          <DropdownMenuItem asChild>
            <Link href={tryHref(skill)}>
              <FlaskConical aria-hidden />
              Try in the playground
            </Link>
          </DropdownMenuItem>
          {exported ? (
            <DropdownMenuItem onSelect={() => setIsExporting(true)}>
              <FileOutput aria-hidden />
              Export standard form…
            </DropdownMenuItem>
          ) : null}
          <DropdownMenuItem
            onSelect={() => void copy(skill.name).then(() => toast({ title: `Copied ${skill.name}.` }))}
          >
            <ClipboardCopy aria-hidden />
            Copy name
          </DropdownMenuItem>
          <DropdownMenuItem asChild>
            <Link href={`/connect?skill=${encodeURIComponent(skill.id)}`}>
              <Plug aria-hidden />
              Connect a client
            </Link>
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => setDialog("collection")}>
            <ListPlus aria-hidden />
            Add to collection…
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => setDialog("report")}>
            <Flag aria-hidden />
            Report this skill…
          </DropdownMenuItem>
          {canManage(skill, me) ? (
            <>
              <DropdownMenuSeparator />
              <DropdownMenuItem onSelect={() => setDialog("deprecate")}>
                <CircleSlash aria-hidden />
                {skill.deprecated ? "Change deprecation…" : "Deprecate…"}
              </DropdownMenuItem>
              <DropdownMenuItem tone="danger" onSelect={() => setConfirming(true)}>
                <Trash2 aria-hidden />
                Delete skill
              </DropdownMenuItem>
            </>
          ) : null}
        </DropdownMenuContent>
      </DropdownMenu>
      {isExporting && exported ? (
        <ExportSpecDialog skill={skill} digest={exported.digest} onOpenChange={setIsExporting} />
      ) : null}
      {dialog === "collection" ? <AddToCollectionDialog skill={skill} onOpenChange={closeDialog} /> : null}
      {dialog === "report" ? <ReportDialog skill={skill} onOpenChange={closeDialog} /> : null}
      {dialog === "deprecate" ? <DeprecateDialog skill={skill} onOpenChange={closeDialog} /> : null}
      <ConfirmDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={`Delete ${name}?`}
        description="It is switched off and taken away from everybody, at once. Its versions and runs stay readable in the audit trail. This cannot be undone."
        confirmLabel="Delete skill"
        tone="danger"
        onConfirm={remove}
      />
    </>
  );
}
