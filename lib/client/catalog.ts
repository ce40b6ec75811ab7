import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { InstallAnswer, type InstallInput, InstallProgress } from "@/lib/catalog/install/schema";
import {
  CatalogDetail,
  type CatalogFile,
  CatalogFileContent,
  CatalogPackPage,
  CatalogPage,
  type ListCatalogQuery,
} from "@/lib/catalog/schema";
import {
  CatalogSource,
  CatalogSourcePage,
  type CreateSourceInput,
  GitHubTokenStatus,
  type PreviewSourceInput,
  SourcePreview,
  SyncAnswer,
  type UpdateSourceInput,
} from "@/lib/catalog/sources/schema";
import { BulkUpdateAnswer, UpdatePage, UpdatePreview } from "@/lib/catalog/update/schema";
import { Version } from "@/lib/skills/schema";
import { api, withQuery } from "./api";
import { skillPath } from "./skills";

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

const pollMs = 400;

export function installFromCatalog(input: InstallInput & { progressId: string }): Promise<InstallAnswer> {
  return api("/api/catalog/install", {
    method: "POST",
    body: input,
    // The same install asked for again after a lost answer gives the first answer.
    headers: { "idempotency-key": input.progressId },
    schema: InstallAnswer,
  });
}

/** How far an install is, while it runs. */
export const installProgressQuery = (progressId: string) =>
  queryOptions({
    queryKey: ["catalog-install", progressId],
    queryFn: ({ signal }) => api(`/api/catalog/install/${progressId}`, { schema: InstallProgress, signal }),
    refetchInterval: pollMs,
    gcTime: 0,
    retry: false,
  });

/** A version 4 UUID. Not `crypto.randomUUID`: it is absent on plain http from another machine. */
export function newProgressId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, "0");
  });
  return [hex.slice(0, 4), hex.slice(4, 6), hex.slice(6, 8), hex.slice(8, 10), hex.slice(10)]
    .map((part) => part.join(""))
    .join("-");
}

export const sourcesKey = ["catalog-sources"] as const;

const path = "/api/admin/catalog-sources";
const whileWorkingMs = 1_000;
const otherwiseMs = 15_000;

/** Repositories that the catalog offers. Asked often while one is synced. */
export const sourcesQuery = queryOptions({
  queryKey: sourcesKey,
  queryFn: ({ signal }) => api(`${path}?limit=100`, { schema: CatalogSourcePage, signal }),
  staleTime: 1_000,
  refetchInterval: ({ state }) => (state.data?.items.some(isWorking) ? whileWorkingMs : otherwiseMs),
});

export function isWorking({ state }: Pick<CatalogSource, "state">): boolean {
  return state === "queued" || state === "running";
}

export function addSource(input: CreateSourceInput): Promise<CatalogSource> {
  return api(path, { method: "POST", body: input, schema: CatalogSource });
}

export function updateSource({ id, patch }: { id: string; patch: UpdateSourceInput }): Promise<CatalogSource> {
  return api(sourcePath(id), { method: "PUT", body: patch, schema: CatalogSource });
}

export async function deleteSource(id: string): Promise<void> {
  await api(sourcePath(id), { method: "DELETE" });
}

/** What a repository holds, before it is a source; nothing is stored. */
export function previewSource(input: PreviewSourceInput): Promise<SourcePreview> {
  return api(`${path}/preview`, { method: "POST", body: input, schema: SourcePreview });
}

export function syncSource(id: string): Promise<SyncAnswer> {
  return api(`${sourcePath(id)}/sync`, { method: "POST", schema: SyncAnswer });
}

/** Accepts the repository that answers under the source's name now. */
export function confirmRepository({ id, repositoryId }: { id: string; repositoryId: string }): Promise<CatalogSource> {
  return api(`${sourcePath(id)}/confirm`, { method: "POST", body: { repositoryId }, schema: CatalogSource });
}

export const githubTokenQuery = queryOptions({
  queryKey: [...sourcesKey, "token"],
  queryFn: ({ signal }) => api(`${path}/token`, { schema: GitHubTokenStatus, signal }),
  staleTime: 30_000,
});

export function setGithubToken(token: string): Promise<GitHubTokenStatus> {
  return api(`${path}/token`, { method: "PUT", body: { token }, schema: GitHubTokenStatus });
}

export async function removeGithubToken(): Promise<void> {
  await api(`${path}/token`, { method: "DELETE" });
}

function sourcePath(id: string): string {
  return `${path}/${encodeURIComponent(id)}`;
}

export const updatesKey = ["catalog-updates"] as const;

/** Installed skills that are different, or gone, where they came from. */
export const updatesQuery = infiniteQueryOptions({
  queryKey: updatesKey,
  queryFn: ({ pageParam, signal }) =>
    api(withQuery("/api/catalog/updates", { limit: 100, cursor: pageParam }), { schema: UpdatePage, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 30_000,
});

/** What taking the update would change; nothing is stored. */
export const updatePreviewQuery = (skillId: string) =>
  queryOptions({
    queryKey: [...updatesKey, "preview", skillId],
    queryFn: ({ signal }) => api(`${skillPath(skillId)}/update`, { schema: UpdatePreview, signal }),
    staleTime: 60_000,
    retry: false,
  });

/** The new version waits for review; the approved one keeps serving. */
export function takeUpdate(skillId: string): Promise<Version> {
  return api(`${skillPath(skillId)}/update`, { method: "POST", schema: Version });
}

export function takeUpdates(skillIds: string[]): Promise<BulkUpdateAnswer> {
  return api("/api/catalog/updates", { method: "POST", body: { skillIds }, schema: BulkUpdateAnswer });
}
