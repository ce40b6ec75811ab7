import { Badge, type Tone } from "@/components/ui/badge";
import { Digest } from "@/components/ui/digest";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { SkillOverlay } from "@/lib/client/overlays";
import { OverlayDecision } from "./overlay-decision";
import { OverlayEvidence } from "./overlay-evidence";
import { OverlayWords } from "./overlay-words";

const LOOKS: Record<SkillOverlay["state"], { label: string; tone: Tone }> = {
  working: { label: "A model works on it", tone: "accent" },
  pending: { label: "Pending review", tone: "warning" },
  approved: { label: "Approved", tone: "success" },
  rejected: { label: "Rejected", tone: "danger" },
  withdrawn: { label: "Withdrawn", tone: "neutral" },
  replaced: { label: "Replaced", tone: "neutral" },
  failed: { label: "Failed", tone: "danger" },
};

/** One overlay: before, after, what it rests on, and the decision. */
export function OverlayItem({ overlay }: { overlay: SkillOverlay }) {
  const { state, isApplied, optimizer, createdBy, createdAt, traceCount, decidedBy, decidedAt, comment } = overlay;
  const { label, tone } = LOOKS[state];
  return (
    <li id={`overlay-${overlay.id}`} className="flex flex-col gap-3 rounded-md border p-4">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3>By {optimizer}</h3>
        <Badge tone={tone}>{label}</Badge>
        {isApplied ? <Badge tone="success">agents are told this</Badge> : null}
        <span className="text-13 text-muted-foreground">
          {createdBy}, <RelativeTime value={createdAt} />, from {traceCount} traces, for version
        </span>
        <Digest value={overlay.baseDigest} label="digest of the version" />
      </header>
      {state === "approved" && !isApplied ? (
        <Notice>The skill serves another version now. Agents are told its own words; propose anew for it.</Notice>
      ) : null}
      {state === "failed" ? (
        <Notice tone="danger" title="The optimiser failed">
          {overlay.error}
        </Notice>
      ) : null}
      {state === "working" ? (
        <Skeleton className="h-16" />
      ) : (
        <OverlayWords before={overlay.before} after={overlay.after} />
      )}
      <OverlayEvidence evidence={overlay.evidence} />
      {decidedBy && decidedAt ? (
        <p className="text-13 text-muted-foreground">
          {label} by {decidedBy}, <RelativeTime value={decidedAt} />
          {comment ? `: “${comment}”` : ""}
        </p>
      ) : null}
      <OverlayDecision overlay={overlay} />
    </li>
  );
}
