"use client";

import { useQuery } from "@tanstack/react-query";
import { QueryState } from "@/components/state/query-state";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { systemQuery } from "@/lib/client/system";
import { ConfigurationTable } from "./configuration-table";

export function Configuration() {
  const query = useQuery(systemQuery);
  return (
    <Section
      title="Configuration in force"
      description="The environment that the process was started with. Secrets are never shown. What each means stands in docs/configuration.md; metrics, logs, shutdown and upgrades in docs/operators.md and docs/upgrading.md."
    >
      <QueryState query={query} loading={<SkeletonRows rows={6} />} errorTitle="The configuration could not be loaded.">
        {({ configuration }) => <ConfigurationTable entries={configuration} />}
      </QueryState>
    </Section>
  );
}
