import type { z } from "zod";
import type {
  DecidedPage,
  DecideVersionInput,
  DismissFindingInput,
  EntryProposalList,
  ReviewPage,
} from "@/lib/review/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { answerOf, api, listOf, sendPost } from "./api";
import { meQuery } from "./me";
import { answerQuery, pagesQuery } from "./queries";
import { skillsKey } from "./skills";
import { versionPath } from "./versions";

export const reviewsKey = ["reviews"] as const;

/** Queries to invalidate after a decision on a version. */
export const decisionKeys = [skillsKey, reviewsKey, meQuery.queryKey];

export const reviewsQuery = pagesQuery(
  reviewsKey,
  "/api/reviews",
  { limit: 50 },
  listOf<z.infer<typeof ReviewPage>>(),
  {
    staleTime: 5_000,
    refetchInterval: 30_000,
  },
);

type DecidedFilters = Partial<Record<"decision" | "by", string>>;

/** Decisions on versions, newest first. Each page names everyone who decided. */
export const decidedQuery = (filters: DecidedFilters) =>
  pagesQuery(
    [...reviewsKey, "decided", filters],
    "/api/reviews/decided",
    { ...filters, limit: 50 },
    listOf<z.infer<typeof DecidedPage>>(),
    { staleTime: 5_000 },
  );

export type Decision = z.input<typeof DecideVersionInput>;

export const decideVersion = (skillId: string, digest: string, decision: Decision) =>
  sendPost(`${versionPath(skillId, digest)}/decisions`, answerOf<Version>(), decision);

/** Proposed calls of a version's scripts; constant for the same bytes. */
export const entryProposalsQuery = (skillId: string, digest: string) =>
  answerQuery(
    [...reviewsKey, "entries", skillId, digest],
    `${versionPath(skillId, digest)}/entries`,
    listOf<EntryProposalList>(),
    { staleTime: Number.POSITIVE_INFINITY },
  );

function dismissalPath(skillId: string, digest: string, fingerprint: string): string {
  return `${versionPath(skillId, digest)}/findings/${fingerprint}/dismiss`;
}

export const dismissFinding = (skillId: string, digest: string, fingerprint: string, input: DismissFindingInput) =>
  sendPost(dismissalPath(skillId, digest, fingerprint), answerOf<Version>(), input);

export const reopenFinding = (skillId: string, digest: string, fingerprint: string) =>
  api(dismissalPath(skillId, digest, fingerprint), { method: "DELETE", shape: answerOf<Version>() });
