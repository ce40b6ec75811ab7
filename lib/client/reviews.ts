import type { z } from "zod";
import { type DecideVersionInput, EntryProposalList, ReviewPage } from "@/lib/review/schema";
import { Version } from "@/lib/skills/versions/schema";
import { api, sendPost } from "./api";
import { meQuery } from "./me";
import { answerQuery, pagesQuery } from "./queries";
import { skillsKey } from "./skills";

import { versionPath } from "./versions";

export const reviewsKey = ["reviews"] as const;

/** Queries to invalidate after a decision on a version. */
export const decisionKeys = [skillsKey, reviewsKey, meQuery.queryKey];

export const reviewsQuery = pagesQuery(reviewsKey, "/api/reviews", { limit: 50 }, ReviewPage, {
  staleTime: 5_000,
  refetchInterval: 30_000,
});

export type Decision = z.input<typeof DecideVersionInput>;

export const decideVersion = (skillId: string, digest: string, decision: Decision) =>
  sendPost(`${versionPath(skillId, digest)}/decisions`, Version, decision);

/** Proposed calls of a version's scripts; constant for the same bytes. */
export const entryProposalsQuery = (skillId: string, digest: string) =>
  answerQuery(
    [...reviewsKey, "entries", skillId, digest],
    `${versionPath(skillId, digest)}/entries`,
    EntryProposalList,
    { staleTime: Number.POSITIVE_INFINITY },
  );

function dismissalPath(skillId: string, digest: string, fingerprint: string): string {
  return `${versionPath(skillId, digest)}/findings/${fingerprint}/dismiss`;
}

export const dismissFinding = (skillId: string, digest: string, fingerprint: string, reason: string) =>
  sendPost(dismissalPath(skillId, digest, fingerprint), Version, { reason });

export const reopenFinding = (skillId: string, digest: string, fingerprint: string) =>
  api(dismissalPath(skillId, digest, fingerprint), { method: "DELETE", schema: Version });
