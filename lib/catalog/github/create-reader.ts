import { setTimeout as wait } from "node:timers/promises";
import PQueue from "p-queue";
import type { Commit, ReadBlob, ReaderPlace, SourceReader, TreeEntry, WantedBlob } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";
import type { GitHubOptions } from "./create-api";
import { createGitHubClient } from "./create-client";
import { assertGitSha } from "./git-blob";
import { listTree } from "./list-tree";
import { readArchive } from "./read-archive";
import { resolveCommit } from "./resolve-commit";

const CONCURRENCY = 8;
/** Files that are read before the first of them is handed on. */
const FILES_AT_ONCE = CONCURRENCY * 4;
/** From this number of files on, an archive is downloaded instead, unless it holds more than `ARCHIVE_BYTES` for each of them. */
const ARCHIVE_FROM = 64;
const ARCHIVE_BYTES = 1024 * 1024;
const ATTEMPTS = 3;
const TRANSIENT = new Set<SyncFailure["code"]>(["connection", "timeout", "upstream_unavailable"]);
/** Failures of the archive that say nothing of single files. */
const WITHOUT_ARCHIVE = new Set<SyncFailure["code"]>([
  "address_not_allowed",
  "forbidden",
  "malformed_answer",
  "not_found",
  "redirect_refused",
  "ref_not_found",
  "too_large",
  "unexpected_status",
]);

type GitHubPlace = Extract<ReaderPlace, { kind: "github" }>;

/** Reads a repository of GitHub by its REST API, its raw host and, when many files are new, one archive. */
export function createGitHubReader(place: GitHubPlace, options: GitHubOptions): SourceReader {
  const name = { owner: place.owner, repo: place.repo };
  const client = createGitHubClient(options);
  const archive = (commit: string, wants: (path: string, size: number) => boolean) =>
    readArchive(client, options, { name, commit, wants });

  return {
    changedSince: (known, now) => resolveCommit(client, known, now),
    listTree: ({ sha, treeSha }, wanted) => {
      if (treeSha === null) throw new Error("GitHub names the tree of each commit");
      return listTree(client, name, { sha, treeSha }, { ...wanted, archive: (wants) => archive(sha, wants) });
    },
    async *readBlobs({ sha: commit }, wanted, entries) {
      const left = new Map(wanted.map((blob) => [blob.sha, blob]));
      if (isArchiveCheaper(wanted, entries)) yield* readFromArchive(commit, left);
      yield* readEach(commit, [...left.values()]);
    },
    usage: client.usage,
  };

  /** Takes what it read out of `left`. Bytes with another sha than the tree lists stay in it. */
  async function* readFromArchive(commit: string, left: Map<string, WantedBlob>): AsyncGenerator<ReadBlob> {
    for (let tried = 1; left.size > 0; tried++) {
      const byPath = new Map([...left.values()].map((blob) => [blob.path, blob]));
      try {
        for await (const { path, sha, bytes } of archive(commit, (one) => byPath.has(one))) {
          if (bytes === null || byPath.get(path)?.sha !== sha) continue;
          left.delete(sha);
          yield { sha, bytes };
          if (left.size === 0) break;
        }
        return;
      } catch (error) {
        if (!(error instanceof SyncFailure)) throw error;
        if (WITHOUT_ARCHIVE.has(error.code)) return;
        if (!TRANSIENT.has(error.code) || tried === ATTEMPTS) throw error;
        await wait((options.retryDelayMs ?? 1_000) * tried ** 2, undefined, { signal: options.signal });
      }
    }
  }

  /** Reads files one by one from the raw host; those read before a failure are yielded too. */
  async function* readEach(commit: Commit["sha"], blobs: WantedBlob[]): AsyncGenerator<ReadBlob> {
    const queue = new PQueue({ concurrency: CONCURRENCY });
    for (let start = 0; start < blobs.length; start += FILES_AT_ONCE) {
      const read: ReadBlob[] = [];
      let failure: unknown = null;
      const readOne = async (blob: WantedBlob) => {
        if (failure !== null) return;
        try {
          const bytes = await client.raw({ ...name, commit, path: blob.path, isPrivate: place.isPrivate });
          assertGitSha(bytes, blob, commit, "tree");
          read.push({ sha: blob.sha, bytes });
        } catch (error) {
          failure ??= error;
        }
      };
      await queue.addAll(blobs.slice(start, start + FILES_AT_ONCE).map((blob) => () => readOne(blob)));
      yield* read;
      if (failure !== null) throw failure;
    }
  }
}

function isArchiveCheaper(wanted: readonly WantedBlob[], entries: readonly TreeEntry[]): boolean {
  if (wanted.length < ARCHIVE_FROM) return false;
  const bytes = entries.reduce((sum, entry) => sum + (entry.size ?? 0), 0);
  return bytes <= wanted.length * ARCHIVE_BYTES;
}
