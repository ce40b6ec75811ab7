import { queryOptions } from "@tanstack/react-query";
import { type ApiToken, ApiTokenPage, CreatedToken, type CreateTokenInput } from "@/lib/auth/schema";
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
