import type { Analysis, AnalysisList, StartAnalysisInput } from "@/lib/review/analysis/schema";
import { answerOf, listOf, sendPost } from "./api";
import { answerQuery } from "./queries";
import { reviewsKey } from "./reviews";
import { versionPath } from "./versions";

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
