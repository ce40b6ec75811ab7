import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { BulkUpdateAnswer, UpdatePage, UpdatePreview } from "@/lib/catalog/update/schema";
import { Version } from "@/lib/skills/versions/schema";
import { api, withQuery } from "./api";
import { skillPath } from "./skills";

export const updatesKey = ["catalog-updates"] as const;

/** Installed skills that are different, or gone, where they came from. */
export const updatesQuery = infiniteQueryOptions({
  queryKey: updatesKey,
  queryFn: ({ pageParam, signal }) =>
    api(withQuery("/api/catalog/updates", { limit: 100, cursor: pageParam }), { schema: UpdatePage, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 30_000,
});

/** What taking the update would change; nothing is stored. */
export const updatePreviewQuery = (skillId: string) =>
  queryOptions({
    queryKey: [...updatesKey, "preview", skillId],
    queryFn: ({ signal }) => api(`${skillPath(skillId)}/update`, { schema: UpdatePreview, signal }),
    staleTime: 60_000,
    retry: false,
  });

/** The new version waits for review; the approved one keeps serving. */
export function takeUpdate(skillId: string): Promise<Version> {
  return api(`${skillPath(skillId)}/update`, { method: "POST", schema: Version });
}

export function takeUpdates(skillIds: string[]): Promise<BulkUpdateAnswer> {
  return api("/api/catalog/updates", { method: "POST", body: { skillIds }, schema: BulkUpdateAnswer });
}
