import type { ForeignInstance, ForeignInstanceList, ForeignReviewList } from "@/lib/review/bundles/schema";
import { answerOf, listOf, sendPatch } from "./api";
import { answerQuery } from "./queries";
import { reviewsKey } from "./reviews";
import { versionPath } from "./versions";

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
