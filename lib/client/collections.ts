import type { z } from "zod";
import type {
  Collection,
  CollectionPage,
  CreateCollectionInput,
  PatchCollectionInput,
} from "@/lib/skills/community/schema";
import { answerOf, api, listOf, sendDelete, sendPatch, sendPost, sendPut, withQuery } from "./api";
import { answerQuery } from "./queries";

export const collectionsKey = ["collections"] as const;
const most = 100;

export const collectionsQuery = (filter: { mine?: boolean; skill?: string } = {}) =>
  answerQuery(
    [...collectionsKey, "list", filter],
    withQuery("/api/collections", { ...filter, limit: most }),
    listOf<z.infer<typeof CollectionPage>>(),
    { staleTime: 10_000 },
  );

export const collectionQuery = (slug: string) =>
  answerQuery([...collectionsKey, "one", slug], collectionPath(slug), answerOf<Collection>(), { staleTime: 10_000 });

export const createCollection = (input: CreateCollectionInput) =>
  sendPost("/api/collections", answerOf<Collection>(), input);

export const patchCollection = (slug: string, input: PatchCollectionInput) =>
  sendPatch(collectionPath(slug), answerOf<Collection>(), input);

export const deleteCollection = (slug: string) => sendDelete(collectionPath(slug));

export const addToCollection = (slug: string, skill: string) =>
  sendPost(`${collectionPath(slug)}/skills`, answerOf<Collection>(), { skill });

export const orderCollection = (slug: string, skills: string[]) =>
  sendPut(`${collectionPath(slug)}/skills`, answerOf<Collection>(), { skills });

export const removeFromCollection = (slug: string, skillId: string) =>
  api(`${collectionPath(slug)}/skills/${encodeURIComponent(skillId)}`, {
    method: "DELETE",
    shape: answerOf<Collection>(),
  });

function collectionPath(slug: string): string {
  return `/api/collections/${encodeURIComponent(slug)}`;
}
