import { queryOptions } from "@tanstack/react-query";
import {
  type CapabilityUrl,
  CapabilityUrlPage,
  type CreateCapabilityUrlInput,
  CreatedCapabilityUrl,
} from "@/lib/distribution/schema";
import { api } from "./api";

export type { CapabilityUrl, CreatedCapabilityUrl };

/** The caller's own capability URLs. */
export const capabilityUrlsQuery = queryOptions({
  queryKey: ["capability-urls"],
  queryFn: ({ signal }) => api("/api/capability-urls?limit=100", { schema: CapabilityUrlPage, signal }),
  staleTime: 10_000,
});

export function createCapabilityUrl(input: CreateCapabilityUrlInput): Promise<CreatedCapabilityUrl> {
  return api("/api/capability-urls", { method: "POST", body: input, schema: CreatedCapabilityUrl });
}

export function revokeCapabilityUrl(id: string): Promise<void> {
  return api(`/api/capability-urls/${id}`, { method: "DELETE" });
}
