import type { Tone } from "@/components/ui/badge";
import type { UpdateItem } from "@/lib/catalog/update/schema";
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
export function changeWords(files: UpdateItem["files"]): string {
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
