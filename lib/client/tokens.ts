import { queryOptions } from "@tanstack/react-query";
import { type ApiToken, ApiTokenPage, CreatedToken, type CreateTokenInput } from "@/lib/auth/schema";
import {
  type CapabilityUrl,
  CapabilityUrlPage,
  type CreateCapabilityUrlInput,
  CreatedCapabilityUrl,
} from "@/lib/distribution/capability-urls/schema";
import { api } from "./api";

export type { ApiToken, CreatedToken };

/** The caller's own API tokens. */
export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: ({ signal }) => api("/api/tokens?limit=100", { schema: ApiTokenPage, signal }),
  staleTime: 10_000,
});

export function createToken(input: CreateTokenInput): Promise<CreatedToken> {
  return api("/api/tokens", { method: "POST", body: input, schema: CreatedToken });
}

export function revokeToken(id: string): Promise<void> {
  return api(`/api/tokens/${id}`, { method: "DELETE" });
}

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
