import { Sparkline } from "@/components/ui/sparkline";
import type { AgentSessionItem } from "@/lib/client/agents";
import { isTrouble } from "./step-words";

const DONE = new Set(["ran", "saved"]);

/** The newest steps as bars: tall ones did something, red ones were refused or failed. */
export function StepSparkline({ steps }: { steps: AgentSessionItem["recent"] }) {
  if (steps.length === 0) return <span className="text-muted-foreground">–</span>;
  const troubles = steps.filter(isTrouble).length;
  const count = steps.length === 1 ? "Newest step" : `Newest ${steps.length} steps`;
  return (
    <Sparkline
      points={steps.map((step) => ({
        value: isTrouble(step) || DONE.has(step.kind) ? 2 : 1,
        tone: isTrouble(step) ? "danger" : DONE.has(step.kind) ? "success" : "neutral",
      }))}
      width={92}
      label={`${count}: ${troubles === 0 ? "nothing refused" : `${troubles} refused or failed`}`}
    />
  );
}
