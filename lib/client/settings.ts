import { queryOptions } from "@tanstack/react-query";
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
