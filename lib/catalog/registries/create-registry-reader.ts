import { createHash } from "node:crypto";
import PQueue from "p-queue";
import { gitBlobSha } from "../github/git-blob";
import { isRepositoryPath } from "../github/names";
import type { OperatorIndexEntry } from "../schema";
import type { RegistryKind, SkippedFolder } from "../sources/schema";
import type { ListingMemory, ReaderPlace, SourceReader, TreeEntry, WantedBlob } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";
import { openAgentSkillsIndex } from "./agent-skills-index";
import { openClawHub } from "./clawhub";
import { openMarketplace } from "./marketplace";
import {
  type ReadRelease,
  type Registry,
  type RegistryList,
  type RegistryOptions,
  type Release,
  treeOf,
} from "./registry";

type Place = Extract<ReaderPlace, { repoUrl: string }> & { kind: RegistryKind };

const KINDS: Record<RegistryKind, (address: string, options: RegistryOptions) => Registry> = {
  clawhub: openClawHub,
  index: openAgentSkillsIndex,
  marketplace: openMarketplace,
  skillgate: openAgentSkillsIndex,
};

/** In place of a branch: a registry has one list. */
const REF = "latest";
const AT_ONCE = 4;
/** Releases that a preview reads; a sync reads all. */
const MAX_PREVIEWED = 25;
/** Failures that concern the whole registry: nothing of this sync is stored. */
const OF_ALL = new Set(["rate_limited", "token_refused"]);

/** Code of a note about a release that could not be read; the next sync tries it again. */
export const UNREAD_RELEASE = "release_unreadable";

/**
 * Reads a registry as a tree, in which each release is a folder: what it states stands for the commit, and downloaded files have the
 * shas of git. A release that still has its key is not downloaded again. One that cannot be read, or has other bytes than the registry
 * states, stays as it was listed before.
 */
export function createRegistryReader(place: Place, options: RegistryOptions): SourceReader {
  const registry = KINDS[place.kind](place.repoUrl, options);

  async function fetchList(etag: string | null) {
    const list = await registry.list(etag);
    return list === "unchanged" ? list : withPlainFolders(list);
  }

  return {
    changedSince: async (known) => {
      if (known.ref !== null) {
        throw new SyncFailure(
          "ref_not_found",
          "A registry has no branches, tags or commits. Leave the ref of the source empty.",
        );
      }
      const identity = { repositoryId: place.repoUrl, defaultBranch: REF, isPrivate: options.credential !== null };
      const list = await fetchList(known.commit === null ? null : known.commitEtag);
      if (list === "unchanged") return { commit: list, ref: REF, identity };
      const sha = shaOf(list.releases);
      const commit = sha === known.commit ? ("unchanged" as const) : { sha, treeSha: null, etag: list.etag };
      return { commit, ref: REF, identity };
    },
    listTree: async ({ sha }, { folder, memory }) => {
      const list = await fetchList(null);
      if (list === "unchanged") throw new Error("the host answered 304 to a request without a tag");
      if (shaOf(list.releases) !== sha) {
        throw new SyncFailure(
          "upstream_unavailable",
          "The registry changed while it was read. It is read again at the next try.",
        );
      }
      const inScope = list.releases.filter((release) => isInScope(release.folder, folder));
      const wanted = memory === null ? inScope.slice(0, MAX_PREVIEWED) : inScope;
      const read = await readReleases(wanted, memory, options.signal);
      const { sha: treeSha, entries } = treeOf(read.flatMap((one) => one.entries));
      const declared = {
        skills: read.map(({ stated }) => stated),
        groups: list.groups,
        skipped: [...list.skipped, ...read.flatMap(({ problem }) => problem ?? [])],
      };
      const etagless = { etag: null, truncated: wanted.length < inScope.length };
      return {
        entries,
        treeSha: hashOf(treeSha, JSON.stringify(declared)),
        ...etagless,
        declared,
      };
    },
    async *readBlobs(_commit, wanted) {
      if (wanted.length === 0) return;
      const list = await fetchList(null);
      if (list === "unchanged") throw new Error("the host answered 304 to a request without a tag");
      const releases = new Map(list.releases.map((release) => [release.folder, release]));
      const left = new Map(wanted.map((blob) => [blob.sha, blob]));
      for (const [folder, blobs] of groupByRelease(wanted, releases)) {
        const release = await releases.get(folder)?.read();
        for await (const blob of release?.blobs(blobs) ?? []) {
          if (gitBlobSha(blob.bytes) !== blob.sha || !left.delete(blob.sha)) continue;
          yield blob;
        }
      }
      const [missing] = left.values();
      if (missing === undefined) return;
      throw new SyncFailure(
        "integrity",
        `The registry has no file ${missing.path} with the bytes of the last sync. Sync again.`,
      );
    },
    usage: () => ({ requests: registry.requests(), rawReads: 0, rate: null }),
  };
}

/** Leaves out releases whose folder is no plain path, or the folder of another one, or inside of it. */
function withPlainFolders(list: RegistryList): RegistryList {
  const releases: Release[] = [];
  const skipped = [...list.skipped];
  const taken = new Set<string>();
  const all = new Set(list.releases.map(({ folder }) => folder.toLowerCase()));
  for (const release of list.releases) {
    const { folder } = release;
    const isTaken = taken.has(folder.toLowerCase()) || isInside(folder.toLowerCase(), all);
    if (isRepositoryPath(folder) && !isTaken) {
      releases.push(release);
      taken.add(folder.toLowerCase());
    } else
      skipped.push({
        folder: folder.slice(0, 200),
        code: "unsafe_path",
        reason: "Its name is not a plain one, or is listed twice.",
      });
  }
  return { ...list, releases, skipped };
}

/** Whether a folder above this one is that of another release. */
function isInside(folder: string, releases: ReadonlySet<string>): boolean {
  for (let at = folder.indexOf("/"); at !== -1; at = folder.indexOf("/", at + 1)) {
    if (releases.has(folder.slice(0, at))) return true;
  }
  return false;
}

type Listed = { entries: TreeEntry[]; stated: OperatorIndexEntry; problem: SkippedFolder | null };
type Former = { stated: OperatorIndexEntry; entries: TreeEntry[] };

async function readReleases(
  releases: Release[],
  memory: ListingMemory | null,
  signal: AbortSignal | undefined,
): Promise<Listed[]> {
  const former = memory === null ? new Map<string, Former>() : await formerReleases(memory);
  const queue = new PQueue({ concurrency: AT_ONCE });
  const failures: SyncFailure[] = [];
  let stop: unknown = null;
  const read = (release: Release) => async (): Promise<Listed[]> => {
    if (stop !== null) return [];
    const before = former.get(release.folder);
    try {
      if (before?.stated.release?.key === release.key)
        return [{ entries: before.entries, stated: before.stated, problem: null }];
      return [await readRelease(release, memory)];
    } catch (error) {
      if (!(error instanceof SyncFailure) || OF_ALL.has(error.code) || signal?.aborted) stop ??= error;
      else failures.push(error);
      const reason = error instanceof Error ? error.message : "";
      const problem = { folder: release.folder, code: UNREAD_RELEASE, reason };
      return before === undefined
        ? [{ entries: [], stated: statedOf(release, null, null), problem }]
        : [{ entries: before.entries, stated: before.stated, problem }];
    }
  };
  const listed = (await Promise.all(releases.map((release) => queue.add(read(release))))).flat();
  if (stop !== null) throw stop;
  // A registry that is gone, and not one skill of it that is broken.
  const [first] = failures;
  if (first !== undefined && failures.length === releases.length && first.code !== "integrity") throw first;
  return listed;
}

async function readRelease(release: Release, memory: ListingMemory | null): Promise<Listed> {
  // Of a sync that was cut off, so that it does not download everything again.
  const keptAs = hashOf(release.folder, release.key);
  const kept = await memory?.keptTree(keptAs);
  if (kept) return { entries: kept, stated: statedOf(release, kept, null), problem: null };
  const read = await release.read();
  const entries = read.entries.map((entry) => ({ ...entry, path: `${release.folder}/${entry.path}` }));
  if (memory !== null) await keep(release, read, entries, memory);
  await memory?.keepTree(keptAs, entries);
  return { entries, stated: statedOf(release, entries, read.publisher ?? null), problem: null };
}

/** Stores what the sync reads later, while it is in memory. */
async function keep(release: Release, read: ReadRelease, entries: TreeEntry[], memory: ListingMemory): Promise<void> {
  const inside = release.folder.length + 1;
  const wanted = entries.flatMap(({ type, path, size = 0, sha }) =>
    type === "blob" && memory.wants(path, size) ? { path: path.slice(inside), sha } : [],
  );
  if (wanted.length === 0) return;
  for await (const blob of read.blobs(wanted)) await memory.keepBlob(blob);
}

function statedOf(
  { folder, publisher, version, digest, tags, key }: Release,
  entries: TreeEntry[] | null,
  named: string | null,
): OperatorIndexEntry {
  const found = entries === null ? null : treeOf(entries).sha;
  const release = { publisher: publisher ?? named, version, digest, found, key };
  return { folder, name: null, version: null, sha256: null, tags, requiredCapabilities: [], release };
}

/** A release may hold several skills; all of its entries carry what was stated about it. */
async function formerReleases(memory: ListingMemory): Promise<Map<string, Former>> {
  const former = new Map<string, Former>();
  for await (const skills of memory.formerSkills()) {
    for (const { stated, entries } of skills) {
      if (stated?.release === undefined) continue;
      const known = former.get(stated.folder);
      if (known === undefined) former.set(stated.folder, { stated, entries: [...entries] });
      else known.entries.push(...entries);
    }
  }
  return former;
}

function groupByRelease(
  wanted: readonly WantedBlob[],
  releases: ReadonlyMap<string, unknown>,
): Map<string, WantedBlob[]> {
  const groups = new Map<string, WantedBlob[]>();
  for (const { path, sha } of wanted) {
    const [first = "", second = ""] = path.split("/");
    const folder = releases.has(first) ? first : `${first}/${second}`;
    groups.set(folder, [...(groups.get(folder) ?? []), { path: path.slice(folder.length + 1), sha }]);
  }
  return groups;
}

function isInScope(release: string, folder: string | null): boolean {
  return folder === null || `${release}/`.startsWith(`${folder}/`) || folder.startsWith(`${release}/`);
}

/** Stands for a commit: equal as long as the registry states the same. */
function shaOf(releases: Release[]): string {
  const lines = releases.map(({ folder, key, version, publisher }) =>
    JSON.stringify([folder, key, version, publisher]),
  );
  return hashOf(...lines.sort());
}

function hashOf(...parts: string[]): string {
  return createHash("sha1").update(parts.join("\0")).digest("hex");
}
