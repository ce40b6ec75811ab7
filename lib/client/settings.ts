import type { PatchQuotasInput, QuotaList } from "@/lib/settings/quotas/schema";
import type { PatchSettingsInput, SettingsAnswer } from "@/lib/settings/schema";
import { answerOf, listOf, sendPatch } from "./api";
import { answerQuery } from "./queries";

export type Setting = SettingsAnswer["settings"][number];

export const settingsQuery = answerQuery(["settings"], "/api/admin/settings", answerOf<SettingsAnswer>(), {
  staleTime: 10_000,
});

export const updateSettings = (patch: PatchSettingsInput) =>
  sendPatch("/api/admin/settings", answerOf<SettingsAnswer>(), patch);

export const ownQuotasQuery = answerQuery(["quotas", "me"], "/api/me/quotas", listOf<QuotaList>(), {
  staleTime: 10_000,
});

export const quotasQuery = (userId: string) =>
  answerQuery(["quotas", userId], `/api/admin/users/${userId}/quotas`, listOf<QuotaList>(), { staleTime: 10_000 });

export const updateQuotas = ({ userId, patch }: { userId: string; patch: PatchQuotasInput }) =>
  sendPatch(`/api/admin/users/${userId}/quotas`, listOf<QuotaList>(), patch);
