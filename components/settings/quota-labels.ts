import type { QuotaUsage } from "@/lib/settings/quotas/schema";

export const quotaLabels: Record<QuotaUsage["key"], string> = {
  skillsPerPerson: "Skills",
  skillMiBPerPerson: "Stored skills",
  importMiBPerDay: "Imports per 24 hours",
  runsPerHour: "Runs per hour",
  runsPerDay: "Runs per 24 hours",
  runsAtOnce: "Concurrent runs",
};
