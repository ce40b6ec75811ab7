"use client";

import { useQuery } from "@tanstack/react-query";
import { QueryState } from "@/components/state/query-state";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { ownQuotasQuery } from "@/lib/client/quotas";
import { QuotaList } from "./quota-list";

/** What the signed-in person may have and do, and how much of it is used. */
export function OwnQuotas() {
  const query = useQuery(ownQuotasQuery);
  return (
    <Section title="Quotas" description="What you may have and do here, your agents included. An admin can change it.">
      <QueryState query={query} loading={<SkeletonRows rows={6} />} errorTitle="The quotas could not be loaded.">
        {({ items }) => <QuotaList items={items} />}
      </QueryState>
    </Section>
  );
}
