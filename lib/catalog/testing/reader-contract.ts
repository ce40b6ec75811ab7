import { describe, expect, test } from "vitest";
import type { FileChange, GitTreeEntry } from "@/e2e/fixtures/fake-github/git-repository";
import type { KnownSource, ReadBlob, SourceReader, TreeEntry } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";

/** A repository on a host of one kind, for the contract that the reader of each kind passes. */
export type ContractHost = {
  commit(files: Record<string, FileChange>): Promise<string>;
  /** All entries of a commit's tree, as git lists them. */
  truth(commit: string): Promise<GitTreeEntry[]>;
  /** Another history takes the place of the branch. */
  forcePush(files: Record<string, FileChange>): Promise<string>;
  /** The source before its first sync. */
  known: KnownSource;
  reader(): SourceReader;
  /** Every answer from now on is broken in this way, until `repair`. */
  break(how: "html" | "cut" | "down"): void;
  repair(): void;
};

const NOW = new Date();
const ALL = { folder: null, etag: null, memory: null };
const MANY = 200;

/** What every kind of source does. `open` makes a host with an empty repository. */
export function describeReader(kind: string, open: () => Promise<ContractHost>): void {
  describe(`the reader of ${kind}`, () => {
    test("says what the ref points at, and that it did not change", async () => {
      const host = await open();
      const sha = await host.commit({ "a/SKILL.md": "one" });
      const { first, known } = await resolved(host);
      expect(first.sha).toBe(sha);
      expect(first.treeSha ?? "0".repeat(40)).toMatch(/^[0-9a-f]{40}$/);
      const again = await host.reader().changedSince(known, NOW);
      expect(again.commit === "unchanged" || again.commit.sha === sha).toBe(true);
      const next = await host.commit({ "a/SKILL.md": "two" });
      expect((await host.reader().changedSince(known, NOW)).commit).toMatchObject({ sha: next });
    });

    test("follows a branch whose history was replaced", async () => {
      const host = await open();
      await host.commit({ "a/SKILL.md": "one" });
      const { known } = await resolved(host);
      const replaced = await host.forcePush({ "b/SKILL.md": "two" });
      const { commit } = await host.reader().changedSince(known, NOW);
      if (commit === "unchanged") throw new Error("the change was not seen");
      expect(commit.sha).toBe(replaced);
      expect((await list(host, commit)).map(({ path }) => path)).toEqual(["b", "b/SKILL.md"]);
    });

    test.each(["nowhere", "--upload-pack=touch /tmp/x", "-x", "a..b", ""])("refuses the ref “%s”", async (ref) => {
      const host = await open();
      await host.commit({ "a/SKILL.md": "one" });
      const failure = await host
        .reader()
        .changedSince({ ...host.known, ref }, NOW)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(SyncFailure);
    });

    test("lists every entry as git does: folders, modes, links and submodules", async () => {
      const host = await open();
      const sha = await host.commit({
        "README.md": "hello",
        "a/SKILL.md": "text",
        "a/run.sh": { executable: "#!/bin/sh\n" },
        "a/link.md": { linkTo: "SKILL.md" },
        "a/deep/er/é ü.txt": "x",
        "vendor/lib": { submodule: "1".repeat(40) },
      });
      const { first } = await resolved(host);
      const plain = (entries: (TreeEntry | GitTreeEntry)[]) =>
        entries
          .map(({ path, mode, type, sha: id }) => ({ path, mode, type, id }))
          .sort((a, b) => (a.path < b.path ? -1 : 1));
      expect(plain(await list(host, first))).toEqual(plain(await host.truth(sha)));
    });

    test("a list with a tag is not sent again while the tree is the same", async () => {
      const host = await open();
      await host.commit({ "a/SKILL.md": "one" });
      const { first } = await resolved(host);
      const listing = await host.reader().listTree(first, ALL);
      if (listing === "unchanged") throw new Error("unchanged without a tag");
      expect(listing.truncated).toBe(false);
      if (listing.etag !== null) {
        expect(await host.reader().listTree(first, { ...ALL, etag: listing.etag })).toBe("unchanged");
      }
    });

    test.each([3, MANY])("reads %i wanted blobs once each, and no others", async (count) => {
      const host = await open();
      const files = Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`s/${at}/SKILL.md`, `text ${at}\r\n\0`]),
      );
      await host.commit({ ...files, "s/0/other.txt": "not wanted", "empty.md": "" });
      const { first } = await resolved(host);
      const entries = await list(host, first);
      const wanted = entries.filter(({ path }) => /SKILL[.]md$|empty/.test(path));
      const read = await collect(host.reader().readBlobs(first, wanted, entries));
      expect(read.map(({ sha }) => sha).sort()).toEqual(wanted.map(({ sha }) => sha).sort());
      const textOf = new Map(read.map(({ sha, bytes }) => [sha, Buffer.from(bytes).toString()]));
      for (const { path, sha } of wanted) expect(textOf.get(sha)).toBe({ ...files, "empty.md": "" }[path]);
      expect(await collect(host.reader().readBlobs(first, [], entries))).toEqual([]);
    });

    test.each([1, MANY])("never hands on bytes that are not those of the tree (%i files)", async (count) => {
      const host = await open();
      const files = Object.fromEntries(Array.from({ length: count }, (_, at) => [`s/${at}/SKILL.md`, `text ${at}`]));
      await host.commit(files);
      const { first } = await resolved(host);
      const entries = await list(host, first);
      const wanted = entries
        .filter(({ type }) => type === "blob")
        .map((entry, at) => (at === 0 ? { ...entry, sha: "0".repeat(40) } : entry));
      const { read, failure } = await collectUntilFailure(host.reader().readBlobs(first, wanted, entries));
      expect(failure).toMatchObject({ code: expect.stringMatching(/integrity|not_found/) });
      expect(read.some(({ sha }) => sha === "0".repeat(40))).toBe(false);
    });

    test.each(["html", "cut", "down"] as const)(
      "a host that is broken (%s) is one named failure each time",
      async (how) => {
        const host = await open();
        await host.commit({ "a/SKILL.md": "one" });
        const { first } = await resolved(host);
        const entries = await list(host, first);
        host.break(how);
        const reader = host.reader();
        const failures = await Promise.all(
          [
            reader.changedSince(host.known, NOW),
            reader.listTree(first, ALL),
            collect(
              reader.readBlobs(
                first,
                entries.filter(({ type }) => type === "blob"),
                entries,
              ),
            ),
          ].map((promise: Promise<unknown>) => promise.catch((error: unknown) => error)),
        );
        for (const failure of failures) expect(failure).toBeInstanceOf(SyncFailure);
        host.repair();
        expect(await list(host, first)).toEqual(entries);
      },
    );

    test("counts its requests", async () => {
      const host = await open();
      await host.commit({ "a/SKILL.md": "one" });
      const reader = host.reader();
      expect(reader.usage()).toMatchObject({ requests: 0, rawReads: 0 });
      await reader.changedSince(host.known, NOW);
      const { requests, rawReads } = reader.usage();
      expect(requests + rawReads).toBeGreaterThan(0);
    });
  });
}

/** The first commit, and the source as it is stored after a sync of it. */
async function resolved(host: ContractHost) {
  const { commit, identity } = await host.reader().changedSince(host.known, NOW);
  if (commit === "unchanged" || identity === null) throw new Error("a source that was never synced is new");
  const known: KnownSource = {
    ...host.known,
    ...identity,
    identityCheckedAt: NOW,
    commit: commit.sha,
    commitEtag: commit.etag,
  };
  return { first: commit, known };
}

async function list(host: ContractHost, commit: { sha: string; treeSha: string | null }): Promise<TreeEntry[]> {
  const listing = await host.reader().listTree(commit, ALL);
  if (listing === "unchanged") throw new Error("unchanged without a tag");
  return listing.entries;
}

async function collect(blobs: AsyncIterable<ReadBlob>): Promise<ReadBlob[]> {
  const { read, failure } = await collectUntilFailure(blobs);
  if (failure !== null) throw failure;
  return read;
}

async function collectUntilFailure(blobs: AsyncIterable<ReadBlob>): Promise<{ read: ReadBlob[]; failure: unknown }> {
  const read: ReadBlob[] = [];
  try {
    for await (const blob of blobs) read.push(blob);
    return { read, failure: null };
  } catch (failure) {
    return { read, failure };
  }
}
