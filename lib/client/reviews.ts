import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type DecideVersionInput, EntryProposalList, ReviewPage } from "@/lib/review/schema";
import { Version } from "@/lib/skills/versions/schema";
import { api, withQuery } from "./api";
import { versionPath } from "./versions";

export const reviewsKey = ["reviews"] as const;

/** Versions that wait for the caller's decision, the oldest first. */
export const reviewsQuery = infiniteQueryOptions({
  queryKey: reviewsKey,
  queryFn: ({ pageParam, signal }) =>
    api(withQuery("/api/reviews", { limit: 50, cursor: pageParam }), { schema: ReviewPage, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 5_000,
  refetchInterval: 30_000,
});

export type Decision = z.input<typeof DecideVersionInput>;

export function decideVersion(skillId: string, digest: string, decision: Decision): Promise<Version> {
  return api(`${versionPath(skillId, digest)}/decisions`, { method: "POST", body: decision, schema: Version });
}

/** How each script of a version seems to be called; of the same bytes always the same. */
export const entryProposalsQuery = (skillId: string, digest: string) =>
  queryOptions({
    queryKey: [...reviewsKey, "entries", skillId, digest],
    queryFn: ({ signal }) => api(`${versionPath(skillId, digest)}/entries`, { schema: EntryProposalList, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

function dismissalPath(skillId: string, digest: string, fingerprint: string): string {
  return `${versionPath(skillId, digest)}/findings/${fingerprint}/dismiss`;
}

export function dismissFinding(skillId: string, digest: string, fingerprint: string, reason: string): Promise<Version> {
  return api(dismissalPath(skillId, digest, fingerprint), { method: "POST", body: { reason }, schema: Version });
}

export function reopenFinding(skillId: string, digest: string, fingerprint: string): Promise<Version> {
  return api(dismissalPath(skillId, digest, fingerprint), { method: "DELETE", schema: Version });
}
