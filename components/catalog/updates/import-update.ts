import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Tone } from "@/components/ui/badge";
import { useToast } from "@/components/ui/toast";
import type { BulkUpdateAnswer, UpdateItem } from "@/lib/catalog/update/schema";
import { applyUpdate, applyUpdates, catalogKey, updatesKey } from "@/lib/client/catalog";
import { decisionKeys } from "@/lib/client/reviews";
import { countOf } from "../../skills/skill-labels";

type State = UpdateItem["state"];

export const updateStates: Record<State, { label: string; tone: Tone; explanation: string }> = {
  available: {
    label: "Update available",
    tone: "accent",
    explanation:
      "The repository differs from the installed version. An imported update is pending review. Nothing changes until a reviewer approves it.",
  },
  pending: {
    label: "Pending review",
    tone: "warning",
    explanation: "The update is imported. The approved version stays active until a reviewer approves the update.",
  },
  removed: {
    label: "Removed upstream",
    tone: "warning",
    explanation: "The repository no longer contains the folder. The installed version stays, without updates.",
  },
};

/** "2 files changed, 1 added" */
export function describeChanges(files: UpdateItem["files"]): string {
  const words = (["changed", "added", "removed"] as const).flatMap((change) => {
    const count = files.filter((file) => file.change === change).length;
    return count === 0 ? [] : [{ change, count }];
  });
  const [first, ...rest] = words;
  if (!first) return "No changed files";
  return [
    `${countOf(first.count, "file")} ${first.change}`,
    ...rest.map(({ count, change }) => `${count} ${change}`),
  ].join(", ");
}

/** Imports one update. Its version waits for review, and the approved one stays active. */
export function useImportUpdate(skillName: string) {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  return useMutation({
    mutationFn: applyUpdate,
    onSuccess: (version) =>
      toast({
        title: `Version ${version.number} of ${skillName} is pending review.`,
        description: "The approved version stays active until then.",
        tone: "success",
      }),
    onSettled: () => refresh(queryClient),
  });
}

export function useImportUpdates(onDone: (answer: BulkUpdateAnswer) => void) {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  return useMutation({
    mutationFn: applyUpdates,
    onSuccess: (answer) => {
      const { updated, failed } = answer;
      toast({
        title: updated.length > 0 ? `${countOf(updated.length, "update")} imported.` : "No update was imported.",
        description:
          failed.length > 0
            ? `${countOf(failed.length, "skill")} could not be updated. The list shows the reason for each.`
            : `${updated.length === 1 ? "It is" : "They are"} pending review. Approved versions stay active until then.`,
        tone: failed.length > 0 ? "danger" : "success",
      });
      onDone(answer);
    },
    onSettled: () => refresh(queryClient),
  });
}

function refresh(queryClient: QueryClient): void {
  // Without the open preview: its update no longer exists.
  void queryClient.invalidateQueries({ queryKey: updatesKey, exact: true });
  for (const queryKey of [catalogKey, ...decisionKeys]) void queryClient.invalidateQueries({ queryKey });
}
