import type { Role } from "@/lib/client/me";
import type { QuotaUsage } from "@/lib/settings/quotas/schema";

export const roleLabels: Record<Role, string> = { user: "User", reviewer: "Reviewer", admin: "Admin" };

export const roleDescriptions: Record<Role, string> = {
  user: "A user imports, runs and manages their own skills.",
  reviewer: "A reviewer is a user who also reviews other people’s versions.",
  admin: "An admin is a reviewer who also manages people, workers and this server.",
};

export const quotaLabels: Record<QuotaUsage["key"], string> = {
  skillsPerPerson: "Skills",
  skillMiBPerPerson: "Stored skills",
  importMiBPerDay: "Imports per 24 hours",
  runsPerHour: "Runs per hour",
  runsPerDay: "Runs per 24 hours",
  runsAtOnce: "Concurrent runs",
};

export const roleOptions = (["user", "reviewer", "admin"] as const).map((role) => ({
  value: role,
  label: roleLabels[role],
}));
