import type { ReportReason, ReportResolution } from "@/lib/skills/community/schema";

export const reportReasonLabels: Record<ReportReason, string> = {
  malicious: "Malicious",
  impersonation: "Impersonates another publisher",
  broken: "Does not work",
  licence: "Violates a licence or copyright",
  other: "Something else",
};

export const reportResolutionLabels: Record<ReportResolution, string> = {
  no_action: "No action needed",
  deprecated: "Skill deprecated",
  revoked: "Approval revoked",
  removed: "Skill deleted or blocked",
};
