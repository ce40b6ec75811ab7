import PQueue from "p-queue";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { MAX_FILE_BYTES } from "@/lib/skill-format/archive/limits";
import { createRawReader } from "./github/create-raw-reader";
import { assertGitSha } from "./github/git-blob";
import { readGitHubToken } from "./github/github-token";
import { githubHosts } from "./github/hosts";
import type { CatalogFile } from "./schema";
import { loadBlobs } from "./sync/read-blobs";
import { SyncFailure } from "./sync-failure";

export type EntryLocation = { owner: string; repo: string; isPrivate: boolean; commit: string; folder: string };
export type ReadOptions = { onRead?: (path: string) => void; signal?: AbortSignal; retryDelayMs?: number };

const CONCURRENCY = 8;

/**
 * Reads the bytes of an entry's files and links by git sha, from stored blobs or else from the raw host at the pinned commit.
 * Fails at the first missing file: `unavailable` for errors of GitHub, `conflict` when the bytes do not have their sha.
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
  const signals = [stop.signal, ...(options.signal ? [options.signal] : [])];
  try {
    const token = place.isPrivate ? await readGitHubToken(ctx) : null;
    const { retryDelayMs } = options;
    const reader = createRawReader(
      {
        hosts: githubHosts(),
        token,
        now: ctx.now,
        signal: AbortSignal.any(signals),
        ...(retryDelayMs === undefined ? {} : { retryDelayMs }),
      },
      MAX_FILE_BYTES,
    );
    const queue = new PQueue({ concurrency: CONCURRENCY });
    const prefix = place.folder === "" ? "" : `${place.folder}/`;
    await Promise.all(
      missing.map((file) =>
        queue.add(async () => {
          stop.signal.throwIfAborted();
          const bytes = await reader.read({ ...place, path: `${prefix}${file.path}` });
          assertGitSha(bytes, file, place.commit, "catalog");
          read.set(file.sha, bytes);
          options.onRead?.(file.path);
        }),
      ),
    );
    return read;
  } catch (error) {
    stop.abort(error);
    throw error instanceof SyncFailure ? toAppError(error) : error;
  }
}

function toAppError(failure: SyncFailure): AppError {
  const cause = { cause: failure };
  if (failure.code === "integrity") return new AppError("conflict", failure.message, cause);
  if (failure.code === "too_large") return new AppError("too_large", failure.message, cause);
  return new AppError("unavailable", failure.message, { ...cause, retryAfterSeconds: 60 });
}
