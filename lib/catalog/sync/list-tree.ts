import type { GitHubClient, RepoName, TreeEntry } from "../github/create-client";
import { SyncFailure } from "../sync-failure";
import { isIgnoredFolder } from "./find-skills";

const MAX_TREE_REQUESTS = 200;
const MAX_ENTRIES = 600_000;

export type Listing = { entries: TreeEntry[]; etag: string | null };
type Where = { name: RepoName; commit: string; treeSha: string; folder: string | null };

/**
 * Lists all entries of a commit's tree, usually in one request. GitHub truncates lists over 100,000 entries or 7 MB;
 * then each folder is read separately. `unchanged` when the tree still has `etag`.
 */
export async function listTree(
  client: GitHubClient,
  where: Where,
  etag: string | null,
): Promise<Listing | "unchanged"> {
  const whole = await client.tree(where.name, where.commit, { recursive: true, etag }).catch((error: unknown) => {
    // GitHub accepts a commit in place of its tree; compatible servers may not.
    if (!(error instanceof SyncFailure) || error.code !== "not_found") throw error;
    return client.tree(where.name, where.treeSha, { recursive: true, etag: null });
  });
  if (whole === "unchanged") return "unchanged";
  if (!whole.truncated) return { entries: whole.entries, etag: whole.etag };
  // A combined list has no etag.
  return { entries: await walk(client, where), etag: null };
}

async function walk(client: GitHubClient, where: Where): Promise<TreeEntry[]> {
  const found: TreeEntry[] = [];
  const waiting = [{ sha: where.treeSha, prefix: "", isRoot: true }];
  let requests = 0;
  const ask = async (sha: string, recursive: boolean) => {
    requests += 1;
    if (requests > MAX_TREE_REQUESTS) {
      throw new SyncFailure(
        "too_large",
        `The file list needs more than ${MAX_TREE_REQUESTS} requests. Limit the source to a folder.`,
      );
    }
    const tree = await client.tree(where.name, sha, { recursive, etag: null });
    if (tree === "unchanged") throw new Error("GitHub answered 304 to a request without a tag");
    return tree;
  };
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { sha, prefix, isRoot } = next;
    const deep = isRoot ? null : await ask(sha, true);
    const level = deep === null || deep.truncated ? await ask(sha, false) : deep;
    if (level.truncated) {
      throw new SyncFailure(
        "too_large",
        `GitHub cannot list the folder “${prefix}” completely. Choose a smaller folder.`,
      );
    }
    for (const entry of level.entries) {
      const path = `${prefix}${entry.path}`;
      found.push({ ...entry, path });
      if (level === deep || entry.type !== "tree" || isIgnoredFolder(path)) continue;
      if (isWanted(path, where.folder)) waiting.push({ sha: entry.sha, prefix: `${path}/`, isRoot: false });
    }
    if (found.length > MAX_ENTRIES) {
      throw new SyncFailure(
        "too_large",
        `The repository has more than ${MAX_ENTRIES} files. Limit the source to a folder.`,
      );
    }
  }
  return found;
}

function isWanted(path: string, folder: string | null): boolean {
  return folder === null || `${path}/`.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${path}/`);
}
