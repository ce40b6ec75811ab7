import { useQueryClient } from "@tanstack/react-query";
import { Download, Trash2 } from "lucide-react";
import { useState } from "react";
import { saveBlob } from "@/components/json/download-button";
import { countOf, displayName } from "@/components/skills/skill-labels";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { SelectionBar } from "@/components/ui/selection-bar";
import { useToast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/api";
import { deleteSkill, fetchBulkExport, fetchExport, patchSkill, skillsKey } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";

type BulkBarProps = { skills: readonly Skill[]; onDone: () => void };

/** Limit of ids per export, since servers accept addresses up to 16 KB. */
const MAX_EXPORTED_SKILLS = 350;

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

type Outcome = { skill: Skill; error: unknown };

/** Applies an action to each skill separately and reports the failures. */
function useBulkActions(skills: readonly Skill[], onDone: () => void) {
  const [busy, setBusy] = useState<"on" | "off" | "export" | null>(null);
  const queryClient = useQueryClient();
  const { toast } = useToast();

  const report = (outcomes: Outcome[], done: string) => {
    const failed = outcomes.filter((outcome) => outcome.error !== null);
    const succeeded = outcomes.length - failed.length;
    toast({
      title: succeeded > 0 ? `${countOf(succeeded, "skill")} ${done}.` : `No skill was ${done}.`,
      tone: failed.length > 0 ? "danger" : "success",
      ...(failed.length > 0 ? { description: failureText(failed) } : {}),
    });
    if (failed.length === 0) onDone();
  };

  const switchAll = async (enabled: boolean) => {
    setBusy(enabled ? "on" : "off");
    const changing = skills.filter((skill) => skill.enabled !== enabled);
    const outcomes = await eachOf(changing, (skill) => patchSkill(skill.id, { enabled }));
    await queryClient.invalidateQueries({ queryKey: skillsKey });
    setBusy(null);
    if (changing.length === 0) toast({ title: `All selected skills are already ${enabled ? "on" : "off"}.` });
    else report(outcomes, `switched ${enabled ? "on" : "off"}`);
  };

  const deleteAll = async () => {
    const outcomes = await eachOf(skills, (skill) => deleteSkill(skill.id));
    await queryClient.invalidateQueries({ queryKey: skillsKey });
    report(outcomes, "deleted");
  };

  const exportAll = async () => {
    setBusy("export");
    try {
      await exportSkills(skills);
    } catch (error) {
      toast({ title: "The export failed.", description: errorText(error), tone: "danger" });
    } finally {
      setBusy(null);
    }
  };

  return { busy, switchAll, deleteAll, exportAll };
}

async function eachOf(skills: readonly Skill[], act: (skill: Skill) => Promise<unknown>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let start = 0; start < skills.length; start += 4) {
    const batch = skills.slice(start, start + 4).map(async (skill) => {
      try {
        await act(skill);
        return { skill, error: null };
      } catch (error) {
        return { skill, error };
      }
    });
    outcomes.push(...(await Promise.all(batch)));
  }
  return outcomes;
}

function failureText(failed: Outcome[]): string {
  const unapproved = failed.filter(({ error }) => error instanceof ApiError && error.code === "not_approved");
  const names = (outcomes: Outcome[]) => outcomes.map(({ skill }) => displayName(skill)).join(", ");
  const others = failed.filter((outcome) => !unapproved.includes(outcome));
  return [
    unapproved.length > 0 ? `No approved version: ${names(unapproved)}.` : "",
    others.length > 0 ? `Failed: ${names(others)}. ${errorText(others[0]?.error)}` : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** Downloads the stored files: one skill as it is, several as a zip with a folder each, which can be imported again. */
async function exportSkills(skills: readonly Skill[]): Promise<void> {
  const [only] = skills;
  if (!only) return;
  if (skills.length === 1) {
    const blob = await fetchExport(only.id);
    saveBlob(isZip(blob) ? `${only.slug}.zip` : "SKILL.md", blob);
    return;
  }
  if (skills.length > MAX_EXPORTED_SKILLS) {
    const detail = `You selected ${skills.length} skills. Select at most ${MAX_EXPORTED_SKILLS} for one export.`;
    throw new ApiError({ status: 413, code: "too_large", detail });
  }
  saveBlob("skills.zip", await fetchBulkExport(skills.map(({ id }) => id)));
}

function isZip(blob: Blob): boolean {
  return blob.type.startsWith("application/zip");
}
