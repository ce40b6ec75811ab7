import type { NearCopyList } from "@/lib/catalog/overlap/schema";
import type { Analysis, AnalysisList, StartAnalysisInput } from "@/lib/review/analysis/schema";
import type { AdvisoryFacts, AdvisoryList, PackageList } from "@/lib/review/bill/schema";
import type { ForeignInstance, ForeignInstanceList, ForeignReviewList } from "@/lib/review/bundles/schema";
import type { FileDiff } from "@/lib/skills/versions/schema";
import { answerOf, listOf, sendDelete, sendPatch, sendPost, sendPut } from "./api";
import { catalogKey } from "./catalog";
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

export const cancelAnalysis = (skillId: string, digest: string, id: string) =>
  sendDelete(`${path(skillId, digest)}/${encodeURIComponent(id)}`);

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

/** The packages that a version names, with the advisories about them. */
export const packagesQuery = (skillId: string, digest: string) =>
  answerQuery(
    [...reviewsKey, "packages", skillId, digest],
    `${versionPath(skillId, digest)}/packages`,
    listOf<PackageList>(),
    { staleTime: 60_000 },
  );

const ADVISORIES = "/api/admin/advisories";

export const advisoriesQuery = answerQuery(["advisories"], ADVISORIES, listOf<AdvisoryList>(), { staleTime: 10_000 });

export const uploadAdvisories = (file: Blob) =>
  sendPut(ADVISORIES, answerOf<AdvisoryFacts>(), new Blob([file], { type: "application/json" }));

export const removeAdvisories = () => sendDelete(ADVISORIES);

/** Whose near copies are shown: a version of a skill, or an entry of the catalog. */
export type NearCopiesOf = { skillId: string; digest: string } | { entryId: string };

const pathOf = (of: NearCopiesOf) =>
  `${"entryId" in of ? `/api/catalog/${encodeURIComponent(of.entryId)}` : versionPath(of.skillId, of.digest)}/near-copies`;

export const nearCopiesQuery = (of: NearCopiesOf) =>
  answerQuery(
    [...("entryId" in of ? catalogKey : reviewsKey), "near-copies", pathOf(of)],
    pathOf(of),
    listOf<NearCopyList>(),
    { staleTime: 30_000 },
  );

/** The difference to one of them. Cached forever: hashes name both texts. */
export const nearCopyDiffQuery = (of: NearCopiesOf, hash: string) =>
  answerQuery(["near-copy", pathOf(of), hash], `${pathOf(of)}/${hash}`, answerOf<FileDiff>(), {
    staleTime: Number.POSITIVE_INFINITY,
  });
