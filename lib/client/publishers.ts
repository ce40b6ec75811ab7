import type { PatchPublisherInput, Publisher } from "@/lib/skills/community/schema";
import { answerOf, api, sendPatch } from "./api";
import { answerQuery } from "./queries";

export const publishersKey = ["publishers"] as const;

export const publisherQuery = (handle: string) =>
  answerQuery([...publishersKey, handle], publisherPath(handle), answerOf<Publisher>(), { staleTime: 10_000 });

export const patchPublisher = (handle: string, input: PatchPublisherInput) =>
  sendPatch(publisherPath(handle), answerOf<Publisher>(), input);

export const verifyPublisher = (handle: string, verified: boolean) =>
  api(`${publisherPath(handle)}/verification`, { method: verified ? "PUT" : "DELETE", shape: answerOf<Publisher>() });

function publisherPath(handle: string): string {
  return `/api/publishers/${encodeURIComponent(handle)}`;
}
