import type { Role } from "@/lib/client/me";

export const roleLabels: Record<Role, string> = { user: "User", reviewer: "Reviewer", admin: "Admin" };

export const roleDescriptions: Record<Role, string> = {
  user: "A user imports, runs and manages their own skills.",
  reviewer: "A reviewer is a user who also reviews other people’s versions.",
  admin: "An admin is a reviewer who also manages people, workers and this server.",
};

export const roleOptions = (["user", "reviewer", "admin"] as const).map((role) => ({
  value: role,
  label: roleLabels[role],
}));
