import type { z } from "zod";
import type { Analysis, AnalysisList, StartAnalysisInput } from "@/lib/review/analysis/schema";
import type { ForeignInstance, ForeignInstanceList, ForeignReviewList } from "@/lib/review/bundles/schema";
import type {
  DecidedPage,
  DecideVersionInput,
  DismissFindingInput,
  EntryProposalList,
  ReviewPage,
} from "@/lib/review/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { answerOf, api, listOf, sendPatch, sendPost } from "./api";
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

const OPEN_POLL_MS = 2_000;

const path = (skillId: string, digest: string) => `${versionPath(skillId, digest)}/analyses`;

/** The dry runs of a version; read again every two seconds while one is under way. */
export const analysesQuery = (skillId: string, digest: string) => ({
  ...answerQuery([...reviewsKey, "analyses", skillId, digest], path(skillId, digest), listOf<AnalysisList>(), {
    staleTime: 0,
  }),
  refetchInterval: ({ state }: { state: { data?: AnalysisList | undefined } }) =>
    state.data?.items.some((item) => isOpen(item)) ? OPEN_POLL_MS : (false as const),
});

export const isOpen = ({ state }: Pick<Analysis, "state">): boolean =>
  state.kind === "queued" || state.kind === "running";

export const startAnalysis = (skillId: string, digest: string, input: Partial<StartAnalysisInput>) =>
  sendPost(path(skillId, digest), answerOf<Analysis>(), input);

/** What other instances decided about a version. */
export const foreignReviewsQuery = (skillId: string, digest: string) =>
  answerQuery(
    [...reviewsKey, "foreign", skillId, digest],
    `${versionPath(skillId, digest)}/foreign-reviews`,
    listOf<ForeignReviewList>(),
    { staleTime: 10_000 },
  );

export const foreignInstancesKey = ["foreign-instances"] as const;

export const foreignInstancesQuery = () =>
  answerQuery(foreignInstancesKey, "/api/admin/foreign-instances", listOf<ForeignInstanceList>(), {
    staleTime: 10_000,
  });

export const trustInstance = (keyId: string, trusted: boolean) =>
  sendPatch(`/api/admin/foreign-instances/${keyId}`, answerOf<ForeignInstance>(), { trusted });
