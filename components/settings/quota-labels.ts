import type { QuotaUsage } from "@/lib/settings/quotas/schema";

export const quotaLabels: Record<QuotaUsage["key"], string> = {
  skillsPerPerson: "Skills",
  skillMiBPerPerson: "Stored skills",
  importMiBPerDay: "Imports within 24 hours",
  runsPerHour: "Runs within an hour",
  runsPerDay: "Runs within 24 hours",
  runsAtOnce: "Runs at the same time",
};
