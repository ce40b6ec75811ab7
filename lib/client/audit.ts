import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { type AuditEvent, AuditFacets, AuditPage } from "@/lib/audit/schema";
import { api, withQuery } from "./api";

export type { AuditEvent, AuditFacets };

export type AuditFilters = {
  tool?: string;
  actor?: string;
  action?: string;
  outcome?: string;
  from?: string;
  to?: string;
  run?: string;
  skill?: string;
};

/** Events newest first: one's own, or all for reviewers and admins. */
export function auditPagesQuery(filters: AuditFilters) {
  return infiniteQueryOptions({
    queryKey: ["audit", "pages", filters],
    queryFn: ({ pageParam, signal }) =>
      api(withQuery("/api/audit", { ...filters, limit: 50, cursor: pageParam }), { schema: AuditPage, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 5_000,
  });
}

/** What the filters can be set to. */
export const auditFacetsQuery = queryOptions({
  queryKey: ["audit", "facets"],
  queryFn: ({ signal }) => api("/api/audit/facets", { schema: AuditFacets, signal }),
  staleTime: 60_000,
});
