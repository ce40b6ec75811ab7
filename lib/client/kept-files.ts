import type { KeptBytes } from "@/lib/catalog/schema";
import { answerOf, sendPut } from "./api";
import { answerQuery } from "./queries";

const path = (sourceId: string) => `/api/admin/catalog-sources/${sourceId}/kept-bytes`;

export const keptFilesQuery = (sourceId: string) => ({
  ...answerQuery(["kept-files", sourceId], path(sourceId), answerOf<KeptBytes>(), { staleTime: 0 }),
  refetchInterval: ({ state }: { state: { data?: KeptBytes | undefined } }) =>
    state.data?.keeps && state.data.complete < state.data.entries ? 5_000 : (false as const),
});

export const keepFiles = (sourceId: string, keeps: boolean) =>
  sendPut(path(sourceId), answerOf<KeptBytes>(), { keeps });
