import { Sparkline } from "@/components/ui/sparkline";
import type { Skill } from "@/lib/skills/schema";
import { countOf } from "./skill-labels";

export function RunSparkline({ runs }: { runs: Skill["recentRuns"] }) {
  if (runs.length === 0) return null;
  const failed = runs.filter((run) => run.state === "failed").length;
  const words = failed === 0 ? "none failed" : `${failed} failed`;
  return (
    <Sparkline
      points={runs.map(({ state, durationMs }) => ({
        value: durationMs ?? 0,
        tone: state === "succeeded" ? "success" : state === "failed" ? "danger" : "neutral",
      }))}
      label={`Last ${countOf(runs.length, "run")}: ${words}`}
    />
  );
}
