import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { saveBlob } from "@/components/json/download-button";
import { countOf, displayName } from "@/components/skills/skill-labels";
import { errorText } from "@/components/state/describe-error";
import { useToast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/api";
import { deleteSkill, fetchBulkExport, fetchExport, patchSkill, skillsKey } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";

/** Limit of ids per export, since servers accept addresses up to 16 KB. */
const MAX_EXPORTED_SKILLS = 350;

type Outcome = { skill: Skill; error: unknown };

/** Applies an action to each skill separately and reports the failures. */
export function useBulkActions(skills: readonly Skill[], onDone: () => void) {
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
