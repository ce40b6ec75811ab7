import { queryOptions } from "@tanstack/react-query";
import {
  Collection,
  CollectionPage,
  type CollectionSummary,
  type CreateCollectionInput,
  type PatchCollectionInput,
} from "@/lib/skills/community/schema";
import { api, withQuery } from "./api";

export type { Collection, CollectionSummary };

export const collectionsKey = ["collections"] as const;
const most = 100;

/** Collections the caller sees; with `mine` those the caller may change. */
export const collectionsQuery = (filter: { mine?: boolean; skill?: string } = {}) =>
  queryOptions({
    queryKey: [...collectionsKey, "list", filter],
    queryFn: ({ signal }) =>
      api(withQuery("/api/collections", { ...filter, limit: most }), { schema: CollectionPage, signal }),
    staleTime: 10_000,
  });

export const collectionQuery = (slug: string) =>
  queryOptions({
    queryKey: [...collectionsKey, "one", slug],
    queryFn: ({ signal }) => api(collectionPath(slug), { schema: Collection, signal }),
    staleTime: 10_000,
  });

export function createCollection(input: CreateCollectionInput): Promise<Collection> {
  return api("/api/collections", { method: "POST", body: input, schema: Collection });
}

export function patchCollection(slug: string, input: PatchCollectionInput): Promise<Collection> {
  return api(collectionPath(slug), { method: "PATCH", body: input, schema: Collection });
}

export async function deleteCollection(slug: string): Promise<void> {
  await api(collectionPath(slug), { method: "DELETE" });
}

export function addToCollection(slug: string, skill: string): Promise<Collection> {
  return api(`${collectionPath(slug)}/skills`, { method: "POST", body: { skill }, schema: Collection });
}

export function orderCollection(slug: string, skills: string[]): Promise<Collection> {
  return api(`${collectionPath(slug)}/skills`, { method: "PUT", body: { skills }, schema: Collection });
}

export function removeFromCollection(slug: string, skillId: string): Promise<Collection> {
  return api(`${collectionPath(slug)}/skills/${encodeURIComponent(skillId)}`, { method: "DELETE", schema: Collection });
}

function collectionPath(slug: string): string {
  return `/api/collections/${encodeURIComponent(slug)}`;
}
