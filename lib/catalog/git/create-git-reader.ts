import { MAX_FILE_BYTES } from "@/lib/skill-format/archive/limits";
import { isSkillMarker } from "@/lib/skill-format/archive/split-skills";
import { gitBlobSha } from "../github/git-blob";
import { isRef } from "../github/names";
import type { ListingMemory, SourceReader, TreeEntry, WantedBlob } from "../sync/source-reader";
import { DECLARATION_FILES } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";
import { type GitOptions, type GitPlace, type GitRemote, openGitRemote } from "./git-remote";
import { type LocalRepository, makeRepository } from "./git-repository";

/** What a ref of a repository points at, and the branch that it has by default, if the host names one. */
type FoundRef = { ref: string; sha: string; defaultBranch: string | null };

/** Missing files up to this number are always asked for by their sha. */
const FEW = 2_000;

/**
 * Reads any git repository over https or ssh by the system's git: what the ref points at is one `ls-remote`, a list and its files are
 * one or two fetches into a bare repository of this sync. Nothing is checked out.
 */
export function createGitReader(place: GitPlace, options: GitOptions): SourceReader {
  const remote = openGitRemote(place, options);
  let opened: { commit: string; repository: LocalRepository; hasFiles: boolean } | null = null;

  /** The commit in a local repository; with `files`, also the bytes of all files that may be part of a skill. */
  async function open(commit: string, wanted: "trees" | "files") {
    if (opened?.commit === commit && (wanted === "trees" || opened.hasFiles)) return opened;
    const repository = await makeRepository(remote, options);
    await repository.fetchCommit(commit, wanted);
    opened = { commit, repository, hasFiles: wanted === "files" };
    return opened;
  }

  return {
    changedSince: async (known) => {
      const { ref, sha, defaultBranch } = await findRef(remote, known.ref);
      const identity = {
        repositoryId: place.repoUrl,
        defaultBranch: defaultBranch ?? known.defaultBranch ?? ref,
        isPrivate: options.credential !== null,
        hostKeys: remote.hostKeys(),
      };
      const commit = sha === known.commit ? ("unchanged" as const) : { sha, treeSha: null, etag: null };
      return { commit, ref, identity };
    },
    listTree: async ({ sha }, { folder, memory }) => {
      const { repository } = await open(sha, "trees");
      const entries = await guarded(repository.listEntries(sha, (path) => isWanted(path, folder)));
      const treeSha = await guarded(repository.treeOf(sha));
      if (memory !== null) await addSizes(sha, entries, memory);
      return { entries, treeSha, etag: null, truncated: false };
    },
    async *readBlobs({ sha: commit }, wanted) {
      if (wanted.length === 0) return;
      const left = new Map(wanted.map((blob) => [blob.sha, blob]));
      const { repository } = await open(commit, "trees");
      yield* readLocal(repository, left);
      if (left.size === 0) return;
      yield* readLocal(await fetchMissing(commit, [...left.keys()]), left);
      const [missing] = left.values();
      if (missing !== undefined) throw notFound(missing, commit);
    },
    usage: () => ({ requests: remote.requests(), rawReads: 0, rate: null }),
  };

  /** Fetches files that are not here yet, by their sha or, where the host does not allow that or they are most, all files. */
  async function fetchMissing(commit: string, shas: string[], { areMost = false } = {}): Promise<LocalRepository> {
    const { repository, hasFiles } = await open(commit, "trees");
    if (!areMost || hasFiles) {
      try {
        await repository.fetchBlobs(shas);
        return repository;
      } catch (error) {
        const isRefused =
          error instanceof SyncFailure && (error.code === "ref_not_found" || error.code === "too_large");
        if (!isRefused || hasFiles) throw error;
      }
    }
    return (await open(commit, "files")).repository;
  }

  /**
   * Adds the size of each file that belongs to a skill or declares some. Sizes are not part of a tree: they are known of files that were
   * listed before, and come with the bytes of others. A file that did not come counts as just too large.
   */
  async function addSizes(commit: string, entries: TreeEntry[], memory: ListingMemory): Promise<void> {
    const sizes = await formerSizes(memory);
    const needed = sizedFiles(entries);
    const unknown = new Set(needed.flatMap(({ sha }) => (sizes.has(sha) ? [] : [sha])));
    if (unknown.size > 0) {
      const { repository } = await open(commit, "trees");
      for (const [sha, size] of await guarded(repository.sizesOf(unknown))) sizes.set(sha, size);
      const missing = [...unknown].filter((sha) => !sizes.has(sha));
      const areMost = missing.length > FEW && missing.length > countBlobs(entries) / 2;
      const filled = missing.length === 0 ? repository : await fetchMissing(commit, missing, { areMost });
      for (const [sha, size] of await guarded(filled.sizesOf(missing))) sizes.set(sha, size);
    }
    for (const entry of needed) entry.size = sizes.get(entry.sha) ?? MAX_FILE_BYTES + 1;
  }
}

/** Files below a folder with a skill's marker, and files that declare skills. */
function sizedFiles(entries: TreeEntry[]): TreeEntry[] {
  const skills = new Set(entries.flatMap(({ path }) => (isSkillMarker(path) ? [parentOf(path)] : [])));
  const belongs = new Map<string, boolean>();
  const isInside = (folder: string): boolean => {
    const known = belongs.get(folder);
    if (known !== undefined) return known;
    const inside = skills.has(folder) || (folder !== "" && isInside(parentOf(folder)));
    belongs.set(folder, inside);
    return inside;
  };
  return entries.filter(({ type, path }) => type === "blob" && (isInside(parentOf(path)) || declares(path)));
}

function declares(path: string): boolean {
  return DECLARATION_FILES.some((name) => path === name || path.endsWith(`/${name}`));
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function countBlobs(entries: TreeEntry[]): number {
  return entries.reduce((count, { type }) => count + Number(type === "blob"), 0);
}

async function formerSizes(memory: ListingMemory): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for await (const files of memory.formerFiles()) {
    for (const { type, sha, size } of files) if (type === "blob" && size !== undefined) sizes.set(sha, size);
  }
  return sizes;
}

/** Yields what is there and takes it out of `left`. */
async function* readLocal(repository: LocalRepository, left: Map<string, WantedBlob>) {
  for await (const blob of repository.readBlobs([...left.keys()])) {
    const file = left.get(blob.sha);
    if (file === undefined) continue;
    if (gitBlobSha(blob.bytes) !== blob.sha) {
      throw new SyncFailure("integrity", `${file.path} does not have the git sha that the tree lists. Sync again.`);
    }
    left.delete(blob.sha);
    yield blob;
  }
}

/** Errors of reading what was fetched: the repository is broken. */
async function guarded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && error.name === "GitFailed") {
      throw new SyncFailure("malformed_answer", "The repository cannot be read: git refuses what its host sent.", {
        cause: error,
      });
    }
    throw error;
  }
}

function notFound({ path }: WantedBlob, commit: string): SyncFailure {
  return new SyncFailure("not_found", `${path} is not in the repository at ${commit.slice(0, 7)}. Sync again.`);
}

function isWanted(path: string, folder: string | null): boolean {
  if (folder === null || declares(path)) return true;
  return `${path}/`.startsWith(`${folder}/`) || folder.startsWith(`${path}/`);
}

/**
 * Asks for a branch, tag, full name or sha, or for the default branch, with one `git ls-remote`. A sha is not checked: the listing
 * fails when the repository does not have it.
 */
async function findRef(remote: GitRemote, ref: string | null): Promise<FoundRef> {
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
