import { keepPreviousData } from "@tanstack/react-query";
import type { z } from "zod";
import type { DependencyTree, InstallAnswer, InstallInput, InstallProgress } from "@/lib/catalog/install/schema";
import type {
  CatalogDetail,
  CatalogFile,
  CatalogFileContent,
  CatalogPackPage,
  CatalogPage,
  KeptBytes,
  ListCatalogQuery,
} from "@/lib/catalog/schema";
import type {
  CatalogSource,
  CatalogSourcePage,
  CreateSourceInput,
  CredentialInput,
  CredentialStatus,
  GitHubTokenStatus,
  NewWebhook,
  PreviewSourceInput,
  SourcePreview,
  SyncAnswer,
  UpdateSourceInput,
  Webhook,
} from "@/lib/catalog/sources/schema";
import type { BulkUpdateAnswer, UpdatePage, UpdatePreview } from "@/lib/catalog/update/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { answerOf, api, listOf, randomKey, sendDelete, sendPost, sendPut, withQuery } from "./api";
import { answerQuery, pagesQuery } from "./queries";
import { skillPath } from "./skills";

export type CatalogFilters = Omit<ListCatalogQuery, "limit" | "cursor">;

/** Key of all cached catalog answers; updates and sources have their own keys. */
export const catalogKey = ["catalog"] as const;

const pageSize = 60;

export const catalogQuery = (filters: CatalogFilters) =>
  pagesQuery([...catalogKey, "list", filters], "/api/catalog", { ...filters, limit: pageSize }, listOf<CatalogPage>(), {
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });

/** The sources with the outcome of their last sync. */
export const catalogStatusQuery = answerQuery(
  [...catalogKey, "status"],
  withQuery("/api/catalog", { limit: 1 }),
  listOf<CatalogPage>(),
  { staleTime: 30_000 },
);

export const catalogEntryQuery = (id: string) =>
  answerQuery([...catalogKey, "one", id], entryPath(id), answerOf<CatalogDetail>(), { staleTime: 30_000 });

/** A file of an entry. Cached forever: a git sha identifies its bytes. */
export const catalogFileQuery = (entryId: string, file: Pick<CatalogFile, "path" | "sha">) =>
  answerQuery(
    ["catalog-file", entryId, file.path, file.sha],
    withQuery(`${entryPath(entryId)}/files`, { path: file.path }),
    answerOf<CatalogFileContent>(),
    { staleTime: Number.POSITIVE_INFINITY },
  );

export const catalogPacksQuery = answerQuery(
  [...catalogKey, "packs"],
  "/api/catalog/packs?limit=100",
  listOf<z.infer<typeof CatalogPackPage>>(),
  { staleTime: 60_000 },
);

function entryPath(id: string): string {
  return `/api/catalog/${encodeURIComponent(id)}`;
}

const pollMs = 400;

export function installFromCatalog(input: InstallInput & { progressId: string }): Promise<InstallAnswer> {
  return api("/api/catalog/install", {
    method: "POST",
    body: input,
    // A repeated request after a lost answer gets the first answer.
    headers: { "idempotency-key": input.progressId },
    shape: answerOf<InstallAnswer>(),
  });
}

export const installProgressQuery = (progressId: string) =>
  answerQuery(["catalog-install", progressId], `/api/catalog/install/${progressId}`, answerOf<InstallProgress>(), {
    refetchInterval: pollMs,
    gcTime: 0,
    retry: false,
  });

/** A version 4 UUID. */
export function newProgressId(): string {
  const hex = randomKey();
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20)].join("-");
}

export const sourcesKey = ["catalog-sources"] as const;

const path = "/api/admin/catalog-sources";
const syncPollMs = 1_000;
const idlePollMs = 15_000;

/** Catalog sources; polled often during a sync. */
export const sourcesQuery = answerQuery(sourcesKey, `${path}?limit=100`, listOf<z.infer<typeof CatalogSourcePage>>(), {
  staleTime: 1_000,
  refetchInterval: ({ state }) => (state.data?.items.some(isWorking) ? syncPollMs : idlePollMs),
});

export function isWorking({ state }: Pick<CatalogSource, "state">): boolean {
  return state === "queued" || state === "running";
}

export const addSource = (input: CreateSourceInput) => sendPost(path, answerOf<CatalogSource>(), input);

export const updateSource = ({ id, patch }: { id: string; patch: UpdateSourceInput }) =>
  sendPut(sourcePath(id), answerOf<CatalogSource>(), patch);

export const setSourceCredential = (id: string, input: CredentialInput) =>
  sendPut(`${sourcePath(id)}/credential`, answerOf<CredentialStatus>(), input);

export const deleteSource = (id: string) => sendDelete(sourcePath(id));

export const previewSource = (input: PreviewSourceInput) =>
  sendPost(`${path}/preview`, answerOf<SourcePreview>(), input);

export const syncSource = (id: string) => sendPost(`${sourcePath(id)}/sync`, answerOf<SyncAnswer>());

/** Accepts the repository that now has the source's name. */
export const confirmRepository = ({ id, repositoryId }: { id: string; repositoryId: string }) =>
  sendPost(`${sourcePath(id)}/confirm`, answerOf<CatalogSource>(), { repositoryId });

export const githubTokenQuery = answerQuery([...sourcesKey, "token"], `${path}/token`, answerOf<GitHubTokenStatus>(), {
  staleTime: 30_000,
});

export const setGithubToken = (token: string) => sendPut(`${path}/token`, answerOf<GitHubTokenStatus>(), { token });

export const removeGithubToken = () => sendDelete(`${path}/token`);

function sourcePath(id: string): string {
  return `${path}/${encodeURIComponent(id)}`;
}

export const updatesKey = ["catalog-updates"] as const;

export const updatesQuery = pagesQuery(
  updatesKey,
  "/api/catalog/updates",
  { limit: 100 },
  listOf<z.infer<typeof UpdatePage>>(),
  {
    staleTime: 30_000,
  },
);

export const updatePreviewQuery = (skillId: string) =>
  answerQuery([...updatesKey, "preview", skillId], `${skillPath(skillId)}/update`, answerOf<UpdatePreview>(), {
    staleTime: 60_000,
    retry: false,
  });

/** Creates a pending version; the active one stays active. */
export const applyUpdate = (skillId: string) => sendPost(`${skillPath(skillId)}/update`, answerOf<Version>());

export const applyUpdates = (skillIds: string[]) =>
  sendPost("/api/catalog/updates", answerOf<BulkUpdateAnswer>(), { skillIds });

/** What an entry needs, for the caller. */
export const dependenciesQuery = (entryId: string) =>
  answerQuery(
    [...catalogKey, "dependencies", entryId],
    `/api/catalog/${encodeURIComponent(entryId)}/dependencies`,
    answerOf<DependencyTree>(),
    { staleTime: 30_000 },
  );

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
