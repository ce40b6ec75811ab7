import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Tone } from "@/components/ui/badge";
import { useToast } from "@/components/ui/toast";
import type { BulkUpdateAnswer, UpdateItem } from "@/lib/catalog/update/schema";
import { catalogKey, takeUpdate, takeUpdates, updatesKey } from "@/lib/client/catalog";
import { decisionKeys } from "@/lib/client/reviews";
import { countOf } from "../../skills/skill-labels";

type State = UpdateItem["state"];

export const updateStates: Record<State, { label: string; tone: Tone; explanation: string }> = {
  available: {
    label: "Update available",
    tone: "accent",
    explanation:
      "Upstream differs from what is installed. Taking an update makes a version that waits for review; nothing changes before.",
  },
  pending: {
    label: "Waits for review",
    tone: "warning",
    explanation: "The update is taken. What is approved keeps serving until a reviewer approves it.",
  },
  removed: {
    label: "Removed upstream",
    tone: "warning",
    explanation: "The repository no longer holds the folder. What is installed stays as it is, without updates.",
  },
};

/** "2 files changed, 1 added" */
export function describeChanges(files: UpdateItem["files"]): string {
  const words = (["changed", "added", "removed"] as const).flatMap((change) => {
    const count = files.filter((file) => file.change === change).length;
    return count === 0 ? [] : [{ change, count }];
  });
  const [first, ...rest] = words;
  if (!first) return "No file differs";
  return [
    `${countOf(first.count, "file")} ${first.change}`,
    ...rest.map(({ count, change }) => `${count} ${change}`),
  ].join(", ");
}

/** Takes one update: its version waits for review, and the approved one keeps serving. */
export function useTakeUpdate(skillName: string) {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  return useMutation({
    mutationFn: takeUpdate,
    onSuccess: (version) =>
      toast({
        title: `Version ${version.number} of ${skillName} waits for review.`,
        description: "What is approved keeps serving meanwhile.",
        tone: "success",
      }),
    onSettled: () => refresh(queryClient),
  });
}

export function useTakeUpdates(onDone: (answer: BulkUpdateAnswer) => void) {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  return useMutation({
    mutationFn: takeUpdates,
    onSuccess: (answer) => {
      const { updated, failed } = answer;
      toast({
        title: updated.length > 0 ? `${countOf(updated.length, "update")} taken.` : "No update was taken.",
        description:
          failed.length > 0
            ? `${countOf(failed.length, "skill")} could not be updated; the reason stands beside each.`
            : `${updated.length === 1 ? "It waits" : "They wait"} for review. What is approved keeps serving meanwhile.`,
        tone: failed.length > 0 ? "danger" : "success",
      });
      onDone(answer);
    },
    onSettled: () => refresh(queryClient),
  });
}

function refresh(queryClient: QueryClient): void {
  // Not the change that is on the screen: there is no longer anything to take.
  void queryClient.invalidateQueries({ queryKey: updatesKey, exact: true });
  for (const queryKey of [catalogKey, ...decisionKeys]) void queryClient.invalidateQueries({ queryKey });
}
