import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { gitBlobSha } from "../github/git-blob";
import type { SkippedFolder, SourceCredential } from "../sources/schema";
import { createKnownTrees } from "../sync/known-trees";
import type { ReadBlob, TreeEntry, WantedBlob } from "../sync/source-reader";

/** What a registry states about a skill, or a group of skills, that it offers. */
export type Release = {
  /** Its folder in the tree of the source. */
  folder: string;
  publisher: string | null;
  version: string | null;
  /** As the registry writes it, with its algorithm. */
  digest: string | null;
  tags: string[];
  /** Equal as long as the registry states the same bytes. */
  key: string;
  /** Downloads it and checks it against everything that the registry states. Throws `SyncFailure`s. */
  read(): Promise<ReadRelease>;
};

/** Entries have paths relative to the release; blobs are read from what was downloaded. */
export type ReadRelease = {
  entries: TreeEntry[];
  publisher?: string | null;
  blobs(wanted: readonly WantedBlob[]): AsyncIterable<ReadBlob>;
};

/** A group of the registry, which becomes a pack of all skills below its folder. */
export type ReleaseGroup = {
  folder: string;
  name: string;
  description: string;
  version: string | null;
  category: string | null;
};

export type RegistryList = {
  releases: Release[];
  groups: ReleaseGroup[];
  skipped: SkippedFolder[];
  etag: string | null;
};

/** A registry of skills: one file for each protocol. `list` costs few requests; `unchanged` when the list still has `etag`. */
export type Registry = {
  list(etag: string | null): Promise<RegistryList | "unchanged">;
  requests(): number;
};

export type RegistryOptions = {
  credential: SourceCredential | null;
  /** A folder for git, for plugins that are repositories. */
  scratch: string;
  now?: (() => Date) | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
};

/** A release of files in memory, as git would store them. */
export function releaseOfFiles(files: readonly SkillFile[]): ReadRelease {
  const bySha = new Map<string, Uint8Array>();
  const entries = files.map(({ path, mode, bytes }): TreeEntry => {
    const sha = gitBlobSha(bytes);
    bySha.set(sha, bytes);
    return { path, mode: `100${mode}`, type: "blob", sha, size: bytes.length };
  });
  return {
    entries,
    async *blobs(wanted) {
      for (const { sha } of wanted) {
        const bytes = bySha.get(sha);
        if (bytes !== undefined) yield { sha, bytes };
      }
    },
  };
}

/** All entries of a tree with these files, folders included, and its sha, as git computes them. */
export function treeOf(files: readonly TreeEntry[]): { sha: string; entries: TreeEntry[] } {
  const trees = createKnownTrees(files);
  return { sha: trees.rootSha, entries: trees.entriesOf(trees.rootSha, "") ?? [] };
}
