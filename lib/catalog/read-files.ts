import PQueue from "p-queue";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { MAX_FILE_BYTES } from "@/lib/skill-format/archive/limits";
import { createRawReader } from "./github/create-raw-reader";
import { assertGitSha } from "./github/git-blob";
import type { CatalogFile } from "./schema";
import { placeOf, type ReadSource, withReaderOptions } from "./sources/with-reader";
import { createReader, type ReaderOptions } from "./sync/create-reader";
import { SyncFailure } from "./sync-failure";

const CHUNK = 400;

export type EntryLocation = { entry: { commit: string; folder: string }; source: ReadSource };
export type ReadOptions = { onRead?: (path: string) => void; signal?: AbortSignal; retryDelayMs?: number };

const CONCURRENCY = 8;

/**
 * Reads the bytes of an entry's files and links by git sha, from stored blobs or else from the host at the pinned commit.
 * Fails at the first missing file: `unavailable` for errors of the host, `conflict` when the bytes do not have their sha.
 */
export async function readEntryFiles(
  ctx: Ctx,
  place: EntryLocation,
  files: CatalogFile[],
  options: ReadOptions = {},
): Promise<Map<string, Uint8Array>> {
  const wanted = files.filter((file) => file.kind !== "submodule");
  const read = await loadBlobs(ctx, [...new Set(wanted.map((file) => file.sha))]);
  for (const file of wanted) if (read.has(file.sha)) options.onRead?.(file.path);
  const missing = wanted.filter((file) => !read.has(file.sha));
  if (missing.length === 0) return read;
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
  const { retryDelayMs } = options;
  try {
    await withReaderOptions(
      ctx,
      place.source,
      { signal, isAnonymous: !place.source.isPrivate, ...(retryDelayMs === undefined ? {} : { retryDelayMs }) },
      async (reading) => {
        const keep = (file: CatalogFile, bytes: Uint8Array) => {
          read.set(file.sha, bytes);
          options.onRead?.(file.path);
        };
        if (place.source.kind === "github") await readFromGitHub(place, missing, reading, keep);
        else await readFromGit(place, missing, reading, keep);
      },
    );
    return read;
  } catch (error) {
    stop.abort(error);
    throw error instanceof SyncFailure ? toAppError(error) : error;
  }
}

type Keep = (file: CatalogFile, bytes: Uint8Array) => void;

async function readFromGitHub(
  { entry, source }: EntryLocation,
  files: CatalogFile[],
  options: ReaderOptions,
  keep: Keep,
): Promise<void> {
  const reader = createRawReader(options, MAX_FILE_BYTES);
  const queue = new PQueue({ concurrency: CONCURRENCY });
  const { owner, repo, isPrivate } = source;
  const { commit } = entry;
  await Promise.all(
    files.map((file) =>
      queue.add(async () => {
        options.signal?.throwIfAborted();
        const bytes = await reader.read({ owner, repo, isPrivate, commit, path: pathOf(entry, file) });
        assertGitSha(bytes, file, commit, "catalog");
        keep(file, bytes);
      }),
    ),
  );
}

async function readFromGit(
  { entry, source }: EntryLocation,
  files: CatalogFile[],
  options: ReaderOptions,
  keep: Keep,
): Promise<void> {
  const reader = createReader(placeOf(source), options);
  const wanted = files.map((file) => ({ sha: file.sha, path: pathOf(entry, file) }));
  for await (const { sha, bytes } of reader.readBlobs({ sha: entry.commit }, wanted, [])) {
    for (const file of files) if (file.sha === sha) keep(file, bytes);
  }
}

function pathOf({ folder }: { folder: string }, { path }: CatalogFile): string {
  return folder === "" ? path : `${folder}/${path}`;
}

function toAppError(failure: SyncFailure): AppError {
  const cause = { cause: failure };
  if (failure.code === "integrity") return new AppError("conflict", failure.message, cause);
  if (failure.code === "too_large") return new AppError("too_large", failure.message, cause);
  return new AppError("unavailable", failure.message, { ...cause, retryAfterSeconds: 60 });
}

/** Bytes of stored blobs by sha; missing blobs are omitted. */
export async function loadBlobs(ctx: Ctx, shas: string[]): Promise<Map<string, Uint8Array>> {
  const loaded = new Map<string, Uint8Array>();
  for (let start = 0; start < shas.length; start += CHUNK) {
    const rows = await ctx.db.catalogBlob.findMany({ where: { gitSha: { in: shas.slice(start, start + CHUNK) } } });
    for (const row of rows) loaded.set(row.gitSha, row.bytes);
  }
  return loaded;
}
