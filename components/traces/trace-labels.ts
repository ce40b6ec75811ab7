import { capital } from "@/components/audit/action-labels";
import type { Tone } from "@/components/ui/badge";
import type { Trace } from "@/lib/agent/traces/schema";

export const outcomeBadges: Record<Trace["outcome"], { label: string; tone: Tone }> = {
  ok: { label: "Succeeded", tone: "success" },
  failed: { label: "Failed", tone: "danger" },
  refused: { label: "Refused", tone: "danger" },
  cancelled: { label: "Cancelled", tone: "neutral" },
  open: { label: "Running", tone: "accent" },
};

/** A run that waits is not "Running". */
export function outcomeBadge({ outcome, detail }: Pick<Trace, "outcome" | "detail">): { label: string; tone: Tone } {
  if (outcome !== "open" || detail === "running") return outcomeBadges[outcome];
  return { label: capital(detail), tone: detail === "awaiting approval" ? "warning" : "neutral" };
}

export const surfaceLabels: Record<Trace["surface"], string> = {
  page: "Run page",
  http: "API",
  mcp: "MCP",
  playground: "Playground",
  evaluation: "Evaluation",
  schedule: "Schedule",
  pipeline: "Pipeline",
};

export const kindLabels: Record<Trace["kind"], string> = { executable: "Run", instructional: "Playbook" };

export const ratingLabels = { up: "Thumbs up", down: "Thumbs down", none: "Not rated" } as const;

/** "67 %", or a dash without a finished use. */
export function formatShare(share: number | null): string {
  return share === null ? "–" : `${Math.round(share * 100)} %`;
}

/** The label of a skill as a person reads it. */
export function skillLabel(skill: Trace["skill"]): string {
  return skill === null ? "Unknown skill" : (skill.label ?? skill.name ?? "A skill you do not see");
}
