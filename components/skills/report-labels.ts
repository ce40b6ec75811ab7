import type { ReportReason, ReportResolution } from "@/lib/skills/community/schema";

export const reportReasonLabels: Record<ReportReason, string> = {
  malicious: "It does harm",
  impersonation: "It pretends to be somebody else’s",
  broken: "It does not work",
  licence: "It breaks a licence or a right",
  other: "Something else",
};

export const reportResolutionLabels: Record<ReportResolution, string> = {
  no_action: "Nothing was wrong",
  deprecated: "The skill was deprecated",
  revoked: "Its approval was revoked",
  removed: "The skill was removed or unlisted",
};
