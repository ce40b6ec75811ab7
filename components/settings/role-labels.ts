import type { Role } from "@/lib/client/me";

export const roleLabels: Record<Role, string> = { user: "User", reviewer: "Reviewer", admin: "Admin" };

export const roleExplanations: Record<Role, string> = {
  user: "imports, runs and manages their own skills",
  reviewer: "also decides about versions of others",
  admin: "reviews, and manages people, workers and this server",
};

export const roleOptions = (["user", "reviewer", "admin"] as const).map((role) => ({
  value: role,
  label: roleLabels[role],
}));
