import type { Commit, GitHubClient, RepoName, RepositoryAnswer } from "../github/create-client";
import type { PendingRepository } from "../sources/schema";
import { SyncFailure } from "../sync-failure";

/** How long a repository is taken for the pinned one while its commit does not change. */
const IDENTITY_MS = 24 * 3_600_000;

type Known = RepoName & {
  ref: string | null;
  repositoryId: string | null;
  defaultBranch: string | null;
  identityCheckedAt: Date | null;
  isPrivate: boolean;
  /** The commit that was read last; null when it has to be read in any case. */
  commit: string | null;
  commitEtag: string | null;
};

export type Identity = { repositoryId: string; defaultBranch: string; isPrivate: boolean };
export type Resolved = { commit: Commit | "unchanged"; ref: string; identity: Identity | null };

/** The repository under a source's name is not the one that was pinned. */
export class RepositoryChanged extends SyncFailure {
  readonly pending: PendingRepository;

  constructor(pending: PendingRepository, name: RepoName) {
    const { reason, fullName, id } = pending;
    const what =
      reason === "renamed" ? `is named ${fullName} now` : `is another repository now (${fullName}, id ${id})`;
    super("confirmation_needed", `${name.owner}/${name.repo} ${what}. Nothing is read until an admin confirms it.`);
    this.pending = pending;
  }
}

/**
 * The commit a source's ref points at. A source that was looked at within a day costs one request while nothing changes,
 * which GitHub answers with 304 when it gave a tag before; else the repository's numeric id is compared with the pinned one first. `identity` is null when it was not asked.
 */
export async function resolveCommit(client: GitHubClient, known: Known, now: Date): Promise<Resolved> {
  const name = { owner: known.owner, repo: known.repo };
  const ref = known.ref ?? known.defaultBranch;
  if (known.commit !== null && ref !== null && isRecent(known, now)) {
    const commit = await client.commit(name, ref, known.commitEtag).catch((error: unknown) => {
      // Whether the ref or the repository is gone shows below.
      if (isMissing(error)) return "missing" as const;
      throw error;
    });
    if (commit === "unchanged") return { commit, ref, identity: null };
    if (typeof commit === "object" && commit.sha === known.commit) return { commit, ref, identity: null };
    const identity = await identify(client, known);
    const refNow = known.ref ?? identity.defaultBranch;
    if (typeof commit === "object" && refNow === ref) return { commit, ref, identity };
    return { commit: await commitOf(client, name, refNow, null), ref: refNow, identity };
  }
  const identity = await identify(client, known);
  const refNow = known.ref ?? identity.defaultBranch;
  const etag = refNow === ref ? known.commitEtag : null;
  return { commit: await commitOf(client, name, refNow, etag), ref: refNow, identity };
}

async function identify(client: GitHubClient, known: Known): Promise<Identity> {
  const { repository, isMoved } = await client.repository(known);
  const pending = findChange(repository, isMoved, known);
  if (pending !== null) throw new RepositoryChanged(pending, known);
  return {
    repositoryId: String(repository.id),
    defaultBranch: repository.default_branch,
    isPrivate: repository.private,
  };
}

function findChange(repository: RepositoryAnswer, isMoved: boolean, known: Known): PendingRepository | null {
  const pending = { id: String(repository.id), fullName: repository.full_name };
  if (known.repositoryId !== null && known.repositoryId !== pending.id) return { ...pending, reason: "replaced" };
  const sameName = repository.full_name.toLowerCase() === `${known.owner}/${known.repo}`.toLowerCase();
  return isMoved || !sameName ? { ...pending, reason: "renamed" } : null;
}

/** The commit of a ref in a repository that is known to be there. */
async function commitOf(client: GitHubClient, name: RepoName, ref: string, etag: string | null) {
  const where = `${name.owner}/${name.repo}`;
  const commit = await client.commit(name, ref, etag).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new SyncFailure("ref_not_found", `${where} has no branch, tag or commit “${ref}”.`, { cause: error });
  });
  if (commit === "moved")
    throw new SyncFailure("redirect_refused", `For “${ref}” of ${where} GitHub sent us elsewhere.`);
  return commit;
}

function isMissing(error: unknown): boolean {
  return error instanceof SyncFailure && (error.code === "not_found" || error.code === "ref_not_found");
}

function isRecent(known: Known, now: Date): boolean {
  return (
    known.repositoryId !== null &&
    known.identityCheckedAt !== null &&
    now.getTime() - known.identityCheckedAt.getTime() < IDENTITY_MS
  );
}
