import type { Integration, IntegrationList, IntegrationScope } from "@/lib/skills/transfer/schema";
import { answerOf, listOf, sendDelete, sendPost, withQuery } from "./api";
import { answerQuery } from "./queries";

export const integrationsKey = ["integrations"] as const;

export const integrationsQuery = answerQuery(integrationsKey, "/api/integrations", listOf<IntegrationList>(), {
  staleTime: 5_000,
});

type Entry = { domain: string; scope: IntegrationScope };

/** Repeating it reads the folder again. */
export const setUpIntegration = ({ domain, scope }: Entry) =>
  sendPost(setupPath(domain), answerOf<Integration>(), { scope });

export const removeIntegration = ({ domain, scope }: Entry) => sendDelete(withQuery(setupPath(domain), { scope }));

function setupPath(domain: string): string {
  return `/api/integrations/${encodeURIComponent(domain)}/setup`;
}
