import type { OperatorIndexEntry } from "../schema";
import type { PendingRepository, SkippedFolder, SourceKind } from "../sources/schema";
import { SyncFailure } from "../sync-failure";

/** Where a source is. Each kind of host has its own reader. `hostKeys`: those of ssh that were pinned. */
export type ReaderPlace =
  | { kind: "github"; owner: string; repo: string; isPrivate: boolean }
  | { kind: Exclude<SourceKind, "github">; owner: string; repo: string; repoUrl: string; hostKeys: string | null };

/** An entry of a git tree; `path` is relative to the root of the repository, `size` is that of a blob. */
export type TreeEntry = {
  path: string;
  mode: string;
  type: "blob" | "tree" | "commit";
  sha: string;
  size?: number | undefined;
};

/** `treeSha` is null when the host does not tell it before the tree is listed. */
export type Commit = { sha: string; treeSha: string | null; etag: string | null };

/** `treeSha` is that of the root. `truncated`: the host left out entries, and the caller did not ask to complete them. */
export type Listing = {
  entries: TreeEntry[];
  treeSha: string;
  etag: string | null;
  truncated: boolean;
  declared?: Declared;
};

/** What a registry says about folders of its tree; a repository says it in files. */
type Declared = { skills: OperatorIndexEntry[]; groups: DeclaredGroup[]; skipped: SkippedFolder[] };
type DeclaredGroup = {
  folder: string;
  name: string;
  description: string;
  version: string | null;
  category: string | null;
};

export type WantedBlob = { sha: string; path: string };
export type ReadBlob = { sha: string; bytes: Uint8Array };

/** Requests so far, retries included, and the quota as the host reports it. `rawReads` cost no quota. */
export type Usage = {
  requests: number;
  rawReads: number;
  rate: { limit: number | null; left: number; resetAt: Date | null } | null;
};

export const NOTHING_USED: Usage = { requests: 0, rawReads: 0, rate: null };

/** The sum, with the quota of the later one. */
export function addUsage(before: Usage, later: Usage): Usage {
  return {
    requests: before.requests + later.requests,
    rawReads: before.rawReads + later.rawReads,
    rate: later.rate ?? before.rate,
  };
}

/** What is stored of a source: its ref, the pinned repository, and the last commit that was read. */
export type KnownSource = {
  owner: string;
  repo: string;
  ref: string | null;
  repositoryId: string | null;
  defaultBranch: string | null;
  identityCheckedAt: Date | null;
  isPrivate: boolean;
  commit: string | null;
  commitEtag: string | null;
};

/** `hostKeys`: what ssh showed at the first connection, to be pinned; absent for other protocols. */
export type Identity = { repositoryId: string; defaultBranch: string; isPrivate: boolean; hostKeys?: string | null };

/** The commit of a source's ref. `identity` is null when it was not checked. */
export type Resolved = { commit: Commit | "unchanged"; ref: string; identity: Identity | null };

export type FormerSkill = { stated: OperatorIndexEntry | null; entries: TreeEntry[] };

/** What a listing of a large tree may use, and hand back, so that it needs fewer requests and goes on after a failure. */
export type ListingMemory = {
  /** Files of the last listing, in batches. */
  formerFiles(): AsyncIterable<TreeEntry[]>;
  /** The same by skill, with what a registry or an index stated about it. */
  formerSkills(): AsyncIterable<FormerSkill[]>;
  /** A tree that an interrupted listing kept, with paths relative to it. */
  keptTree(sha: string): Promise<TreeEntry[] | null>;
  keepTree(sha: string, entries: TreeEntry[]): Promise<void>;
  /** Whether the sync will want the bytes of a file, in case they come along. */
  wants(path: string, size: number): boolean;
  keepBlob(blob: ReadBlob): Promise<void>;
};

/**
 * Reads one source from its host. An implementation is one file per kind of host, is chosen in `create-reader.ts`, and passes
 * `testing/reader-contract.ts`. It throws only `SyncFailure`s, sends nothing that its caller did not ask for, executes nothing, and
 * writes no file outside a folder of its own.
 */
export type SourceReader = {
  /** What the ref points at; `unchanged` when that is still the known commit. `RepositoryChanged` stops syncs until an admin confirms. */
  changedSince(known: KnownSource, now: Date): Promise<Resolved>;
  /**
   * All entries of the commit's tree, folders included; `unchanged` when the tree still has `etag`. Without `memory` a list that the
   * host cuts stays cut. A reader may leave out entries outside `folder`.
   */
  listTree(
    commit: Pick<Commit, "sha" | "treeSha">,
    options: { folder: string | null; etag: string | null; memory: ListingMemory | null },
  ): Promise<Listing | "unchanged">;
  /**
   * Yields each wanted blob of the commit once, in any order, when its bytes have the wanted git sha. `entries` are those of the
   * tree, by which a reader chooses how to read. Ends with an error at the first blob that cannot be read.
   */
  readBlobs(
    commit: Pick<Commit, "sha">,
    wanted: readonly WantedBlob[],
    entries: readonly TreeEntry[],
  ): AsyncIterable<ReadBlob>;
  usage(): Usage;
};

/** The repository of a source was renamed, or another one has its name now. */
export class RepositoryChanged extends SyncFailure {
  readonly pending: PendingRepository;

  constructor(pending: PendingRepository, name: { owner: string; repo: string }) {
    const { reason, fullName, id } = pending;
    const what =
      reason === "renamed" ? `was renamed to ${fullName}` : `is now another repository (${fullName}, id ${id})`;
    super("confirmation_needed", `${name.owner}/${name.repo} ${what}. Syncs stop until an admin confirms it.`);
    this.pending = pending;
  }
}

export const MARKETPLACE_FILES = [
  ".claude-plugin/marketplace.json",
  ".agents/plugins/marketplace.json",
  ".cursor-plugin/marketplace.json",
];
export const GROUPS_FILE = "skills.sh.json";
export const INDEX_FILE = "skillgate-index.json";
export const DECLARATION_FILES = [...MARKETPLACE_FILES, GROUPS_FILE, INDEX_FILE];
