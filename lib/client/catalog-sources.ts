import { queryOptions } from "@tanstack/react-query";
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
import { api } from "./api";

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
