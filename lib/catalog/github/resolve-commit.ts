import type { RepositoryFacts, RepositoryHost, RepositoryName } from "../hosts/host-api";
import type { PendingRepository } from "../sources/schema";
import { type Identity, type KnownSource, RepositoryChanged, type Resolved } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";

/** How long the repository's identity is trusted while its commit does not change. */
const IDENTITY_MS = 24 * 3_600_000;

/**
 * Resolves a source's ref to a commit. Within a day of the last identity check an unchanged source costs one request (a
 * 304 when it has an etag); otherwise the repository's numeric id is compared with the pinned one first. `identity` is
 * null when it was not checked.
 */
export async function resolveCommit(client: RepositoryHost, known: KnownSource, now: Date): Promise<Resolved> {
  const name = { owner: known.owner, repo: known.repo };
  const ref = known.ref ?? known.defaultBranch;
  if (known.commit !== null && ref !== null && isRecent(known, now)) {
    const commit = await client.commit(name, ref, known.commitEtag).catch((error: unknown) => {
      // The code below finds out whether the ref or the repository is missing.
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

async function identify(client: RepositoryHost, known: KnownSource): Promise<Identity> {
  const { repository, isMoved } = await client.repository(known);
  const pending = findChange(repository, isMoved, known);
  if (pending !== null) throw new RepositoryChanged(pending, known);
  return {
    repositoryId: String(repository.id),
    defaultBranch: repository.default_branch,
    isPrivate: repository.private,
  };
}

function findChange(repository: RepositoryFacts, isMoved: boolean, known: KnownSource): PendingRepository | null {
  const pending = { id: String(repository.id), fullName: repository.full_name };
  if (known.repositoryId !== null && known.repositoryId !== pending.id) return { ...pending, reason: "replaced" };
  const sameName = repository.full_name.toLowerCase() === `${known.owner}/${known.repo}`.toLowerCase();
  return isMoved || !sameName ? { ...pending, reason: "renamed" } : null;
}

async function commitOf(client: RepositoryHost, name: RepositoryName, ref: string, etag: string | null) {
  const where = `${name.owner}/${name.repo}`;
  const commit = await client.commit(name, ref, etag).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new SyncFailure("ref_not_found", `${where} has no branch, tag or commit “${ref}”. Correct the ref.`, {
      cause: error,
    });
  });
  if (commit === "moved")
    throw new SyncFailure("redirect_refused", `The host redirected “${ref}” of ${where}; redirects are not followed.`);
  return commit;
}

function isMissing(error: unknown): boolean {
  return error instanceof SyncFailure && (error.code === "not_found" || error.code === "ref_not_found");
}

function isRecent(known: KnownSource, now: Date): boolean {
  return (
    known.repositoryId !== null &&
    known.identityCheckedAt !== null &&
    now.getTime() - known.identityCheckedAt.getTime() < IDENTITY_MS
  );
}
