import { isRef } from "../github/names";
import { SyncFailure } from "../sync-failure";
import type { GitRemote } from "./git-remote";

/** What a ref of a repository points at, and the branch that it has by default, if the host names one. */
export type FoundRef = { ref: string; sha: string; defaultBranch: string | null };

/**
 * Asks for a branch, tag, full name or sha, or for the default branch, with one `git ls-remote`. A sha is not checked: the listing
 * fails when the repository does not have it.
 */
export async function findRef(remote: GitRemote, ref: string | null): Promise<FoundRef> {
  if (ref !== null && !isRef(ref)) {
    throw new SyncFailure("ref_not_found", `“${ref}” is not a valid branch, tag or commit name.`);
  }
  const names = ref === null ? [] : namesOf(ref);
  const output = await remote.run(["ls-remote", "--symref", "--end-of-options", remote.url, "HEAD", ...names]);
  const found = new Map<string, string>();
  let defaultBranch: string | null = null;
  for (const line of output.split("\n")) {
    const [value = "", name = ""] = line.split("\t");
    if (value.startsWith("ref: ")) defaultBranch = name === "HEAD" ? branchOf(value.slice(5)) : defaultBranch;
    else if (name !== "" && !found.has(name)) found.set(name, value);
  }
  if (ref === null) {
    const sha = found.get("HEAD");
    if (sha === undefined)
      throw new SyncFailure("empty", `${remote.what} has no commit on its default branch, or is no git repository.`);
    return { ref: defaultBranch ?? "HEAD", sha: checkedSha(sha, remote), defaultBranch };
  }
  const sha = names.map((name) => found.get(name)).find((value) => value !== undefined) ?? wholeSha(ref);
  if (sha === null) {
    throw new SyncFailure("ref_not_found", `${remote.what} has no branch, tag or commit “${ref}”. Correct the ref.`);
  }
  return { ref, sha: checkedSha(sha, remote), defaultBranch };
}

/** The order in which a name counts; `^{}` is the commit of an annotated tag. */
function namesOf(ref: string): string[] {
  const full = ref.startsWith("refs/") ? [`${ref}^{}`, ref] : [];
  return [`refs/heads/${ref}`, `refs/tags/${ref}^{}`, `refs/tags/${ref}`, ...full];
}

function branchOf(name: string): string | null {
  const branch = name.startsWith("refs/heads/") ? name.slice("refs/heads/".length) : name;
  return isRef(branch) ? branch : null;
}

function wholeSha(ref: string): string | null {
  return /^[0-9a-f]{40}$/.test(ref) ? ref : null;
}

function checkedSha(sha: string, remote: GitRemote): string {
  if (/^[0-9a-f]{40}$/.test(sha)) return sha;
  const reason = sha.length === 64 ? "names its objects by SHA-256, which sources cannot use yet" : "sent no git sha";
  throw new SyncFailure("malformed_answer", `${remote.what} ${reason}.`);
}
