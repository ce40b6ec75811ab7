import type { NewWebhook, Webhook } from "@/lib/catalog/sources/schema";
import { answerOf, sendDelete, sendPost } from "./api";
import { answerQuery } from "./queries";

const path = (sourceId: string) => `/api/admin/catalog-sources/${sourceId}/webhook`;

export const webhookQuery = (sourceId: string) =>
  answerQuery(["source-webhook", sourceId], path(sourceId), answerOf<Webhook>(), { staleTime: 0 });

/** Makes a secret in place of a former one; only this answer has it. */
export const createWebhook = (sourceId: string) => sendPost(path(sourceId), answerOf<NewWebhook>());

export const deleteWebhook = (sourceId: string) => sendDelete(path(sourceId));
