"use client";

import { useQuery } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import { QueryState } from "@/components/state/query-state";
import { EmptyState } from "@/components/ui/empty-state";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { integrationsQuery } from "@/lib/client/integrations";
import { IntegrationRow } from "./integration-row";

/** The integrations that the operator has laid out for this server. */
export function IntegrationSection() {
  const query = useQuery(integrationsQuery);
  return (
    <Section
      title="Integrations"
      description="Skills that come with this server. Set one up, and its skills go to review; a new version of it is a new version to review."
    >
      <QueryState
        query={query}
        loading={<SkeletonRows rows={3} label="Loading the integrations" />}
        errorTitle="The integrations could not be loaded."
        isEmpty={(list) => list.items.length === 0}
        empty={
          <EmptyState
            icon={Plug}
            title="No integration here"
            description={
              query.data?.isConfigured
                ? "The directory of integrations is empty. Each is a folder with a manifest.yaml and its skills."
                : "Whoever runs this server can name a directory of integrations with SKILLGATE_INTEGRATIONS_DIR."
            }
          />
        }
      >
        {(list) => (
          <ul className="divide-y rounded-md border">
            {list.items.map((integration) => (
              <IntegrationRow key={integration.domain} integration={integration} />
            ))}
          </ul>
        )}
      </QueryState>
    </Section>
  );
}
