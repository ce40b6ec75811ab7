import { useQuery, useQueryClient } from "@tanstack/react-query";
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
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { FormDialog, SelectField, TextareaField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { tryHref } from "@/components/playground/choice";
import { canManage, displayName, editHref, reportReasonLabels } from "@/components/skills/skill-labels";
import { QueryState } from "@/components/state/query-state";
import { useCopy } from "@/components/state/use-copy";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { deferred } from "@/components/ui/deferred/deferred";
import { Dialog, DialogContent } from "@/components/ui/dialog";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { IconButton } from "@/components/ui/icon-button";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useToast } from "@/components/ui/toast";
import { createReport } from "@/lib/client/skill-marks";
import { deleteSkill, exportPath, oneSkillKey, skillListsKey } from "@/lib/client/skills";
import { versionAdviceQuery } from "@/lib/client/versions";
import type { ReportReason } from "@/lib/skills/community/schema";
import type { Skill } from "@/lib/skills/schema";

const AddToCollectionDialog = deferred(
  async () => (await import("@/components/collections/add-to-collection-dialog")).AddToCollectionDialog,
);

const DeprecateDialog = deferred(async () => (await import("./deprecate-dialog")).DeprecateDialog);

const reasons = Object.entries(reportReasonLabels).map(([value, label]) => ({ value, label }));

type ReportDialogProps = { skill: Skill; onOpenChange: (open: boolean) => void };

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
    toast({ title: `${name} deleted.` });
    queryClient.removeQueries({ queryKey: [...oneSkillKey, skill.id] });
    void queryClient.invalidateQueries({ queryKey: skillListsKey });
  };

  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <IconButton label={`Actions for ${name}`} variant="secondary">
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
              Export as standard SKILL.md…
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
        description="The skill is switched off and removed for everyone immediately. Its versions and runs stay in the audit log. This cannot be undone."
        confirmLabel="Delete skill"
        tone="danger"
        onConfirm={remove}
      />
    </>
  );
}

type ExportSpecDialogProps = { skill: Skill; digest: string; onOpenChange: (open: boolean) => void };

function ExportSpecDialog({ skill, digest, onOpenChange }: ExportSpecDialogProps) {
  const advice = useQuery(versionAdviceQuery(skill.id, digest));
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title={`Export ${displayName(skill)} as standard SKILL.md`}
        description="A SKILL.md that other agents accept. The stored files do not change."
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
              <p className="text-13">No losses: the standard format contains everything in this skill.</p>
            ) : (
              <DiagnosticList diagnostics={specLosses} />
            )
          }
        </QueryState>
      </DialogContent>
    </Dialog>
  );
}

function ReportDialog({ skill, onOpenChange }: ReportDialogProps) {
  const form = useApiForm({
    values: { reason: "malicious" as ReportReason, text: "" },
    send: (body) => createReport(skill.id, body),
    onDone: () => onOpenChange(false),
    done: "Report sent to the admins.",
  });
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <FormDialog
        form={form}
        title={`Report ${displayName(skill)}`}
        description="Only the admins of this server see the report and your name. The skill does not change until they decide."
        action="Send report"
      >
        <SelectField form={form} name="reason" label="Reason" options={reasons} />
        <TextareaField
          form={form}
          name="text"
          label="Details"
          required
          help="Name the file and line if you can."
          rows={5}
          maxLength={2000}
        />
      </FormDialog>
    </Dialog>
  );
}
