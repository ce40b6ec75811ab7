import {
  Ban,
  Blocks,
  ClipboardCheck,
  Cpu,
  FileDiff,
  KeyRound,
  type LucideIcon,
  Play,
  Settings,
  ShieldAlert,
  UserRound,
  VenetianMask,
} from "lucide-react";
import { cn } from "@/components/ui/cn";
import type { AuditEvent } from "@/lib/client/audit";

const icons: Record<string, LucideIcon> = {
  run: Play,
  version: FileDiff,
  skill: Blocks,
  review: ClipboardCheck,
  token: KeyRound,
  session: UserRound,
  user: UserRound,
  setup: UserRound,
  sign_in: ShieldAlert,
  persona: VenetianMask,
  worker: Cpu,
  settings: Settings,
  request: Ban,
};

/** What kind of thing happened; refused and failed ones in red, approvals in green. */
export function AuditIcon({ event }: { event: AuditEvent }) {
  const Icon = icons[event.action.split(".")[0] ?? ""] ?? FileDiff;
  const isBad = event.outcome !== "ok";
  const isApproval = event.action.endsWith(".approve") && !isBad;
  return (
    <span
      aria-hidden
      className={cn(
        "inline-flex size-6 shrink-0 items-center justify-center rounded-full border bg-background text-muted-foreground [&_svg]:size-3.5",
        isBad && "border-danger-line text-danger",
        isApproval && "border-success-line text-success",
      )}
    >
      <Icon />
    </span>
  );
}
