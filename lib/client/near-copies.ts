import type { NearCopyList } from "@/lib/catalog/overlap/schema";
import type { FileDiff } from "@/lib/skills/versions/schema";
import { answerOf, listOf } from "./api";
import { catalogKey } from "./catalog";
import { answerQuery } from "./queries";
import { reviewsKey } from "./reviews";
import { versionPath } from "./versions";

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
