import { createHash, type Hash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { SyncFailure } from "../sync-failure";
import { type GitHubOptions, MAX_ANSWER_MS } from "./create-api";
import type { GitHubClient, RepoName } from "./create-client";
import { describeErrorStatus, describeNetworkError } from "./describe-github-error";
import { openDownload } from "./guarded-fetch";
import { isRepositoryPath } from "./names";

/** A file or link of an archive with the git sha of its bytes; `bytes` is null when they were not wanted. */
export type ArchiveFile = {
  path: string;
  mode: "100644" | "100755" | "120000";
  sha: string;
  size: number;
  bytes: Uint8Array | null;
};

/** Bytes of the download and of its content, and entries. */
export type ArchiveLimits = { packed: number; unpacked: number; entries: number };

const GIB = 1024 ** 3;
export const MAX_ARCHIVE: ArchiveLimits = { packed: 2 * GIB, unpacked: 8 * GIB, entries: 2_000_000 };

type Entry = AsyncIterable<unknown> & { header: Header };

type Request = {
  name: RepoName;
  commit: string;
  /** Whether the bytes of a file are wanted; they are held until the next file is read. */
  wants(path: string, size: number): boolean;
  limits?: ArchiveLimits;
};

/**
 * Downloads the archive of a commit and yields its files and links while they arrive, in constant memory. Nothing is written to the
 * disk. Entries that git does not write (hard links, devices) and unsafe paths are left out. Throws `too_large` over a limit, and
 * `malformed_answer` when the archive cannot be read or is cut. The token is not sent: the address holds what it needs.
 */
export async function* readArchive(
  client: GitHubClient,
  options: GitHubOptions,
  { name, commit, wants, limits = MAX_ARCHIVE }: Request,
): AsyncGenerator<ArchiveFile> {
  const what = `the archive of ${name.owner}/${name.repo}`;
  const address = await client.archiveAddress(name, commit);
  const endpoint = { host: new URL(address).host, variable: "GITHUB_API_URL" } as const;
  const idleMs = options.timeoutMs ?? MAX_ANSWER_MS;
  client.countDownload();
  const download = await openDownload(address, { idleMs, signal: options.signal }).catch((error: unknown) => {
    options.signal?.throwIfAborted();
    throw describeNetworkError(error, { what, endpoint });
  });
  if (download.status !== 200) {
    await download.chunks().return(undefined);
    const now = (options.now ?? (() => new Date()))();
    const { status, headers } = download;
    const context = { what, endpoint, hasToken: options.token !== null, now };
    throw describeErrorStatus({ status, headers, message: "" }, context);
  }
  const broken: { cause: unknown } = { cause: null };
  async function* received() {
    try {
      yield* upTo(limits.packed, what, download.chunks());
    } catch (error) {
      broken.cause = error;
      throw error;
    }
  }
  const tar = extract();
  const unpacking = pipeline(
    Readable.from(received()),
    createGunzip(),
    (chunks) => upTo(limits.unpacked, what, chunks),
    tar,
  );
  // The loop below throws its error.
  unpacking.catch(() => undefined);
  try {
    let count = 0;
    for await (const entry of tar) {
      count += 1;
      if (count > limits.entries) throw tooLarge(what, `${limits.entries} entries`);
      const file = await readEntry(entry, wants);
      if (file !== null) yield file;
    }
    await unpacking;
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof SyncFailure) throw error;
    if (broken.cause !== null) throw describeNetworkError(broken.cause, { what, endpoint });
    throw new SyncFailure("malformed_answer", `GitHub sent an archive that cannot be read for ${what}.`, {
      cause: error,
    });
  } finally {
    tar.destroy();
  }
}

async function* upTo(maxBytes: number, what: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(what, `${maxBytes} bytes`);
    yield chunk;
  }
}

function tooLarge(what: string, limit: string): SyncFailure {
  return new SyncFailure("too_large", `GitHub’s answer for ${what} is too large: the limit is ${limit}.`);
}

/** Reads an entry to its end in any case, since the next one begins there. */
async function readEntry(entry: Entry, wants: Request["wants"]): Promise<ArchiveFile | null> {
  const { type, name, linkname, size = 0, mode = 0 } = entry.header;
  // All paths begin with one folder, which is named for the repository and the commit.
  const path = name.slice(name.indexOf("/") + 1);
  const isUsable = name.includes("/") && isRepositoryPath(path);
  if (type === "symlink" && isUsable) {
    const bytes = Buffer.from(linkname ?? "");
    await drain(entry);
    return { path, mode: "120000", sha: startSha(bytes.length).update(bytes).digest("hex"), size: bytes.length, bytes };
  }
  if (type !== "file" || !isUsable) {
    await drain(entry);
    return null;
  }
  const sha = startSha(size);
  const parts: Uint8Array[] | null = wants(path, size) ? [] : null;
  for await (const part of entry as AsyncIterable<Uint8Array>) {
    sha.update(part);
    parts?.push(part);
  }
  const gitMode = (mode & 0o100) === 0 ? "100644" : "100755";
  return { path, mode: gitMode, sha: sha.digest("hex"), size, bytes: parts && Buffer.concat(parts) };
}

function startSha(size: number): Hash {
  return createHash("sha1").update(`blob ${size}\0`);
}

async function drain(entry: Entry): Promise<void> {
  for await (const _part of entry);
}
