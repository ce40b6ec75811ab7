import type { KeptBytes } from "@/lib/catalog/schema";
import type { NewWebhook, Webhook } from "@/lib/catalog/sources/schema";
import { answerOf, sendDelete, sendPost, sendPut } from "./api";
import { answerQuery } from "./queries";

const keptBytesPath = (sourceId: string) => `/api/admin/catalog-sources/${sourceId}/kept-bytes`;

export const keptFilesQuery = (sourceId: string) => ({
  ...answerQuery(["kept-files", sourceId], keptBytesPath(sourceId), answerOf<KeptBytes>(), { staleTime: 0 }),
  refetchInterval: ({ state }: { state: { data?: KeptBytes | undefined } }) =>
    state.data?.keeps && state.data.complete < state.data.entries ? 5_000 : (false as const),
});

export const keepFiles = (sourceId: string, keeps: boolean) =>
  sendPut(keptBytesPath(sourceId), answerOf<KeptBytes>(), { keeps });

const webhookPath = (sourceId: string) => `/api/admin/catalog-sources/${sourceId}/webhook`;

export const webhookQuery = (sourceId: string) =>
  answerQuery(["source-webhook", sourceId], webhookPath(sourceId), answerOf<Webhook>(), { staleTime: 0 });

/** Makes a secret in place of a former one; only this answer has it. */
export const createWebhook = (sourceId: string) => sendPost(webhookPath(sourceId), answerOf<NewWebhook>());

export const deleteWebhook = (sourceId: string) => sendDelete(webhookPath(sourceId));
