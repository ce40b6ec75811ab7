import { isIgnoredFolder } from "../sync/find-skills";
import { createKnownTrees, type KnownTrees } from "../sync/known-trees";
import type { Listing, ListingMemory, TreeEntry } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";
import type { GitHubClient, RepoName, Tree } from "./create-client";
import type { ArchiveFile } from "./read-archive";

export type TreeLimits = {
  /** Requests of one sync for folders; GitHub’s quota is 5,000 an hour with a token. */
  requests: number;
  entries: number;
  /** Unknown folders above which one archive is cheaper than a request for each. */
  folders: number;
};

export const TREE_LIMITS: TreeLimits = { requests: 20_000, entries: 600_000, folders: 50 };

type Commitish = { sha: string; treeSha: string };
type Options = {
  folder: string | null;
  etag: string | null;
  memory: ListingMemory | null;
  limits?: TreeLimits;
  archive(wants: ListingMemory["wants"]): AsyncIterable<ArchiveFile>;
};

/**
 * Lists all entries of a commit's tree, usually in one request. GitHub cuts lists over 100,000 entries or 7 MB. With `memory` such a
 * list is completed: folders whose tree sha follows from files that were received, or were listed before, cost nothing; the others
 * are listed one by one, or come from an archive when they are many. `unchanged` when the tree still has `etag`.
 */
export async function listTree(
  client: GitHubClient,
  name: RepoName,
  commit: Commitish,
  options: Options,
): Promise<Listing | "unchanged"> {
  const { etag, memory } = options;
  const whole = await client.tree(name, commit.sha, { recursive: true, etag }).catch((error: unknown) => {
    // GitHub accepts a commit in place of its tree; compatible servers may not.
    if (!(error instanceof SyncFailure) || error.code !== "not_found") throw error;
    return client.tree(name, commit.treeSha, { recursive: true, etag: null });
  });
  if (whole === "unchanged") return "unchanged";
  const { treeSha } = commit;
  if (!whole.truncated || memory === null) return { ...whole, treeSha };
  // A combined list has no etag.
  return {
    entries: await complete(client, name, commit, whole.entries, { ...options, memory }),
    treeSha,
    etag: null,
    truncated: false,
  };
}

type Walk = Options & { memory: ListingMemory };

async function complete(
  client: GitHubClient,
  name: RepoName,
  commit: Commitish,
  received: TreeEntry[],
  walk: Walk,
): Promise<TreeEntry[]> {
  const { memory, limits = TREE_LIMITS } = walk;
  const cut = createKnownTrees(received);
  const sources: KnownTrees[] = [cut, createKnownTrees(await collect(memory.formerFiles()))];
  let isArchiveRead = false;
  let requests = 0;

  async function ask(sha: string, recursive: boolean): Promise<Tree> {
    requests += 1;
    if (requests > limits.requests) {
      throw tooLarge(`The file list needs more than ${limits.requests} requests. Limit the source to a folder.`);
    }
    const tree = await client.tree(name, sha, { recursive, etag: null });
    if (tree === "unchanged") throw new Error("GitHub answered 304 to a request without a tag");
    return tree;
  }

  /** The complete tree of a folder, if it can be had without a request. */
  async function known(sha: string, prefix: string): Promise<TreeEntry[] | null> {
    for (const source of sources) {
      const entries = source.entriesOf(sha, prefix);
      if (entries !== null) return entries;
    }
    const kept = await memory.keptTree(sha);
    return kept?.map((entry) => ({ ...entry, path: `${prefix}${entry.path}` })) ?? null;
  }

  async function readWholeArchive(): Promise<void> {
    isArchiveRead = true;
    const files: TreeEntry[] = [];
    try {
      for await (const file of walk.archive(memory.wants)) {
        const { path, mode, sha, size, bytes } = file;
        files.push({ path, mode, sha, size, type: "blob" });
        if (files.length > limits.entries) throw tooManyFiles(limits);
        if (bytes !== null && memory.wants(path, size)) await memory.keepBlob({ sha, bytes });
      }
    } catch (error) {
      // Without an archive each folder is a request.
      if (!(error instanceof SyncFailure) || error.code === "rate_limited") throw error;
    }
    sources.push(createKnownTrees(files));
  }

  const found: TreeEntry[] = [];
  const waiting = [{ sha: commit.treeSha, prefix: "" }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { sha, prefix } = next;
    const entries = (await known(sha, prefix)) ?? (await list(sha, prefix));
    for (const entry of entries) found.push(entry);
    if (found.length > limits.entries) throw tooManyFiles(limits);
  }
  return found;

  /** Entries of a folder that is not known; queues the folders in it that are still to be read. */
  async function list(sha: string, prefix: string): Promise<TreeEntry[]> {
    const path = prefix.slice(0, -1);
    // A folder of which some files were received but not all is at the cut, so its whole list would be cut as well.
    const isLarge = path === "" || cut.hasBelow(path);
    const deep = isLarge ? null : await ask(sha, true);
    if (deep !== null && !deep.truncated) {
      await memory.keepTree(sha, deep.entries);
      return deep.entries.map((entry) => ({ ...entry, path: `${prefix}${entry.path}` }));
    }
    const level = await ask(sha, false);
    if (level.truncated) throw tooLarge(`GitHub cannot list the folder “${path}” completely. Choose a smaller folder.`);
    const entries = level.entries.map((entry) => ({ ...entry, path: `${prefix}${entry.path}` }));
    const folders = entries.filter(
      (entry) => entry.type === "tree" && !isIgnoredFolder(entry.path) && isWanted(entry.path, walk.folder),
    );
    if (!isArchiveRead && (await countUnknown(folders)) > limits.folders) await readWholeArchive();
    for (const folder of folders) waiting.push({ sha: folder.sha, prefix: `${folder.path}/` });
    return entries;
  }

  async function countUnknown(folders: TreeEntry[]): Promise<number> {
    let count = 0;
    for (const { sha } of folders) if ((await known(sha, "")) === null) count += 1;
    return count;
  }
}

async function collect(batches: AsyncIterable<TreeEntry[]>): Promise<TreeEntry[]> {
  const all: TreeEntry[] = [];
  for await (const batch of batches) for (const entry of batch) all.push(entry);
  return all;
}

function tooLarge(message: string): SyncFailure {
  return new SyncFailure("too_large", message);
}

function tooManyFiles({ entries }: TreeLimits): SyncFailure {
  return tooLarge(`The repository has more than ${entries} files. Limit the source to a folder.`);
}

function isWanted(path: string, folder: string | null): boolean {
  return folder === null || `${path}/`.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${path}/`);
}
