import type { AdvisoryFacts, AdvisoryList, PackageList } from "@/lib/review/bill/schema";
import { answerOf, listOf, sendDelete, sendPut } from "./api";
import { answerQuery } from "./queries";
import { reviewsKey } from "./reviews";
import { versionPath } from "./versions";

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
