import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import {
  CatalogDetail,
  type CatalogFile,
  CatalogFileContent,
  CatalogPackPage,
  CatalogPage,
  type ListCatalogQuery,
} from "@/lib/catalog/schema";
import { api, withQuery } from "./api";

export type CatalogFilters = Omit<ListCatalogQuery, "limit" | "cursor">;

/** Every cached answer about what the catalog offers begins with this; updates and sources have keys of their own. */
export const catalogKey = ["catalog"] as const;

const pageSize = 60;

export const catalogQuery = (filters: CatalogFilters) =>
  infiniteQueryOptions({
    queryKey: [...catalogKey, "list", filters],
    queryFn: ({ pageParam, signal }) =>
      api(withQuery("/api/catalog", { ...filters, limit: pageSize, cursor: pageParam }), {
        schema: CatalogPage,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });

export const catalogEntryQuery = (id: string) =>
  queryOptions({
    queryKey: [...catalogKey, "one", id],
    queryFn: ({ signal }) => api(entryPath(id), { schema: CatalogDetail, signal }),
    staleTime: 30_000,
  });

/** A file of an entry before it is installed. Bytes with this git sha never change, so neither does the answer. */
export const catalogFileQuery = (entryId: string, file: Pick<CatalogFile, "path" | "sha">) =>
  queryOptions({
    queryKey: ["catalog-file", entryId, file.path, file.sha],
    queryFn: ({ signal }) =>
      api(withQuery(`${entryPath(entryId)}/files`, { path: file.path }), { schema: CatalogFileContent, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const catalogPacksQuery = queryOptions({
  queryKey: [...catalogKey, "packs"],
  queryFn: ({ signal }) => api("/api/catalog/packs?limit=100", { schema: CatalogPackPage, signal }),
  staleTime: 60_000,
});

function entryPath(id: string): string {
  return `/api/catalog/${encodeURIComponent(id)}`;
}
