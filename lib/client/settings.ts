import { queryOptions } from "@tanstack/react-query";
import { type PatchQuotasInput, QuotaList, type QuotaUsage } from "@/lib/settings/quotas/schema";
import { type PatchSettingsInput, SettingsAnswer } from "@/lib/settings/schema";
import { api } from "./api";

export type Setting = SettingsAnswer["settings"][number];

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => api("/api/admin/settings", { schema: SettingsAnswer, signal }),
  staleTime: 10_000,
});

export function updateSettings(patch: PatchSettingsInput): Promise<SettingsAnswer> {
  return api("/api/admin/settings", { method: "PATCH", body: patch, schema: SettingsAnswer });
}

export type { QuotaList, QuotaUsage };

/** What the caller may have and do, and how much of it is used. */
export const ownQuotasQuery = queryOptions({
  queryKey: ["quotas", "me"],
  queryFn: ({ signal }) => api("/api/me/quotas", { schema: QuotaList, signal }),
  staleTime: 10_000,
});

export function quotasQuery(userId: string) {
  return queryOptions({
    queryKey: ["quotas", userId],
    queryFn: ({ signal }) => api(`/api/admin/users/${userId}/quotas`, { schema: QuotaList, signal }),
    staleTime: 10_000,
  });
}

export function updateQuotas({ userId, patch }: { userId: string; patch: PatchQuotasInput }): Promise<QuotaList> {
  return api(`/api/admin/users/${userId}/quotas`, { method: "PATCH", body: patch, schema: QuotaList });
}
