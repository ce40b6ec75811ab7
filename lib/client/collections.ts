import {
  Collection,
  CollectionPage,
  type CreateCollectionInput,
  type PatchCollectionInput,
} from "@/lib/skills/community/schema";
import { api, sendDelete, sendPatch, sendPost, sendPut, withQuery } from "./api";
import { answerQuery } from "./queries";

export const collectionsKey = ["collections"] as const;
const most = 100;

export const collectionsQuery = (filter: { mine?: boolean; skill?: string } = {}) =>
  answerQuery(
    [...collectionsKey, "list", filter],
    withQuery("/api/collections", { ...filter, limit: most }),
    CollectionPage,
    { staleTime: 10_000 },
  );

export const collectionQuery = (slug: string) =>
  answerQuery([...collectionsKey, "one", slug], collectionPath(slug), Collection, { staleTime: 10_000 });

export const createCollection = (input: CreateCollectionInput) => sendPost("/api/collections", Collection, input);

export const patchCollection = (slug: string, input: PatchCollectionInput) =>
  sendPatch(collectionPath(slug), Collection, input);

export const deleteCollection = (slug: string) => sendDelete(collectionPath(slug));

export const addToCollection = (slug: string, skill: string) =>
  sendPost(`${collectionPath(slug)}/skills`, Collection, { skill });

export const orderCollection = (slug: string, skills: string[]) =>
  sendPut(`${collectionPath(slug)}/skills`, Collection, { skills });

export const removeFromCollection = (slug: string, skillId: string) =>
  api(`${collectionPath(slug)}/skills/${encodeURIComponent(skillId)}`, { method: "DELETE", schema: Collection });

function collectionPath(slug: string): string {
  return `/api/collections/${encodeURIComponent(slug)}`;
}
