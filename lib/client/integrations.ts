import { queryOptions } from "@tanstack/react-query";
import { Integration, IntegrationList, type IntegrationScope } from "@/lib/skills/transfer/schema";
import { api, withQuery } from "./api";

export const integrationsKey = ["integrations"] as const;

export const integrationsQuery = queryOptions({
  queryKey: integrationsKey,
  queryFn: ({ signal }) => api("/api/integrations", { schema: IntegrationList, signal }),
  staleTime: 5_000,
});

type Entry = { domain: string; scope: IntegrationScope };

/** Also reads an entry that is set up already again. */
export function setUpIntegration({ domain, scope }: Entry): Promise<Integration> {
  return api(setupPath(domain), { method: "POST", body: { scope }, schema: Integration });
}

export async function removeIntegration({ domain, scope }: Entry): Promise<void> {
  await api(withQuery(setupPath(domain), { scope }), { method: "DELETE" });
}

function setupPath(domain: string): string {
  return `/api/integrations/${encodeURIComponent(domain)}/setup`;
}
