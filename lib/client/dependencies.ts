import type { DependencyTree } from "@/lib/catalog/install/schema";
import { answerOf } from "./api";
import { catalogKey } from "./catalog";
import { answerQuery } from "./queries";

/** What an entry needs, for the caller. */
export const dependenciesQuery = (entryId: string) =>
  answerQuery(
    [...catalogKey, "dependencies", entryId],
    `/api/catalog/${encodeURIComponent(entryId)}/dependencies`,
    answerOf<DependencyTree>(),
    { staleTime: 30_000 },
  );
