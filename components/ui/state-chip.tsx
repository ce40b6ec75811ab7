import {
  Ban,
  Circle,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleSlash,
  CircleX,
  Clock,
  type LucideIcon,
  MessageSquareWarning,
  TimerOff,
  UserRoundCheck,
} from "lucide-react";
import { Badge, type Tone } from "./badge";

export const runStates = [
  "awaiting_approval",
  "queued",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  "rejected",
  "expired",
] as const;

export type RunState = (typeof runStates)[number];

export type VersionState = "draft" | "pending" | "approved" | "changes_requested" | "rejected" | "revoked";

type Look = { label: string; tone: Tone; Icon: LucideIcon };

export const stateLooks: Record<RunState | VersionState, Look> = {
  awaiting_approval: { label: "Awaiting approval", tone: "warning", Icon: UserRoundCheck },
  queued: { label: "Queued", tone: "neutral", Icon: CircleDashed },
  running: { label: "Running", tone: "accent", Icon: CircleDot },
  succeeded: { label: "Succeeded", tone: "success", Icon: CircleCheck },
  failed: { label: "Failed", tone: "danger", Icon: CircleX },
  cancelled: { label: "Cancelled", tone: "neutral", Icon: CircleSlash },
  rejected: { label: "Rejected", tone: "danger", Icon: Ban },
  expired: { label: "Expired", tone: "neutral", Icon: TimerOff },
  draft: { label: "Draft", tone: "neutral", Icon: Circle },
  pending: { label: "Pending review", tone: "warning", Icon: Clock },
  approved: { label: "Approved", tone: "success", Icon: CircleCheck },
  changes_requested: { label: "Changes requested", tone: "warning", Icon: MessageSquareWarning },
  revoked: { label: "Revoked", tone: "danger", Icon: Ban },
};

type StateChipProps = { state: RunState | VersionState; className?: string };

export function StateChip({ state, className = "" }: StateChipProps) {
  const { label, tone, Icon } = stateLooks[state];
  return (
    <Badge tone={tone} className={className}>
      <Icon aria-hidden />
      {label}
    </Badge>
  );
}
