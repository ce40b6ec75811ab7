import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { MAX_FILE_BYTES } from "@/lib/skill-format/archive/limits";
import type { ReadBlob, TreeEntry } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";
import { gitEnvironment, runGit, startGit } from "./git-command";
import type { GitOptions, GitRemote } from "./git-remote";

/** Longer ones are no output of git. */
const MAX_RECORD_BYTES = 64 * 1024;

/** Which bytes come with a commit: none, or those of files that may be part of a skill. */
export type Wanted = "trees" | "files";

/** A bare repository on this server that holds one commit of a source, without its history, refs or a work tree. */
export type LocalRepository = {
  /** Fetches the commit and its trees, and its files when they are wanted. */
  fetchCommit(sha: string, wanted: Wanted): Promise<void>;
  /** Fetches files by their sha; those that are there already are sent again. */
  fetchBlobs(shas: readonly string[]): Promise<void>;
  treeOf(commit: string): Promise<string>;
  /** All entries of a commit, folders included, without sizes. Throws `too_large` over `maxEntries` kept ones. */
  listEntries(commit: string, keep: (path: string) => boolean): Promise<TreeEntry[]>;
  /** Sizes of the blobs that are here, by sha. */
  sizesOf(shas: Iterable<string>): Promise<Map<string, number>>;
  /** Blobs that are here, in the order asked for; missing ones are left out. Throws `too_large` over `MAX_FILE_BYTES`. */
  readBlobs(shas: Iterable<string>): AsyncGenerator<ReadBlob>;
};

export const MAX_ENTRIES = 600_000;
const LOCAL_MS = 120_000;
/** Larger files cannot be part of a skill, so they are not sent. */
const FILTERS: Record<Wanted, string> = { trees: "blob:none", files: `blob:limit=${MAX_FILE_BYTES + 1}` };

/**
 * Makes an empty bare repository in a new folder of `scratch`. The files of git are written here, not by `git init`, so that no template
 * of the machine is used. While git reads, the repository has no remote, so that it never connects for an object that is missing.
 */
export async function makeRepository(remote: GitRemote, options: GitOptions): Promise<LocalRepository> {
  const folder = await mkdtemp(join(options.scratch, "repository-"));
  for (const name of ["objects/info", "objects/pack", "refs/heads", "refs/tags", "info"]) {
    await mkdir(join(folder, name), { recursive: true });
  }
  await writeFile(join(folder, "HEAD"), "ref: refs/heads/none\n");
  const env = gitEnvironment(folder, {}, { scheme: "none" });
  const local = (args: string[]) => ({
    args: ["--git-dir", folder, ...args],
    ...{ env, cwd: folder, timeoutMs: LOCAL_MS, signal: options.signal },
  });

  async function configure(isConnected: boolean): Promise<void> {
    const plain = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n\tfilemode = true\n";
    // The address is in the argument of a fetch; a partial clone needs a remote of the same name.
    const partial = `[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ${quoted(remote.url)}\n\tpromisor = true\n`;
    await writeFile(join(folder, "config"), isConnected ? plain + partial : plain);
  }

  async function receive(args: string[], input?: string): Promise<void> {
    await configure(true);
    try {
      const common = [
        "--no-tags",
        "--no-write-fetch-head",
        "--no-recurse-submodules",
        "--no-auto-maintenance",
        "--quiet",
      ];
      const all = ["--git-dir", folder, "fetch", ...common, ...args];
      await remote.run(all, { cwd: folder, isLong: true, ...(input === undefined ? {} : { input }) });
    } finally {
      await configure(false);
    }
  }

  return {
    fetchCommit: (sha, wanted) =>
      receive(["--depth=1", `--filter=${FILTERS[wanted]}`, "--end-of-options", "origin", checkedSha(sha)]),
    fetchBlobs: (shas) =>
      receive(
        ["--filter=blob:none", "--stdin", "--end-of-options", "origin"],
        shas.map((sha) => `${checkedSha(sha)}\n`).join(""),
      ),
    treeOf: async (commit) => {
      const text = await runGit(local(["rev-parse", "--verify", "--end-of-options", `${checkedSha(commit)}^{tree}`]));
      return checkedSha(text.trim());
    },
    listEntries: async (commit, keep) => {
      const git = startGit(local(["ls-tree", "-r", "-t", "-z", "--full-tree", "--end-of-options", checkedSha(commit)]));
      git.stdin.end();
      const entries: TreeEntry[] = [];
      for await (const record of readRecords(git.stdout, 0)) {
        const entry = toEntry(record.toString("utf8"));
        if (!keep(entry.path)) continue;
        entries.push(entry);
        if (entries.length > MAX_ENTRIES) {
          git.kill();
          throw tooManyEntries();
        }
      }
      await git.done;
      return entries;
    },
    sizesOf: async (shas) => {
      const git = startGit(local(["cat-file", "--batch-check=%(objectname) %(objectsize)"]));
      feed(git.stdin, shas);
      const sizes = new Map<string, number>();
      for await (const record of readRecords(git.stdout, NEW_LINE)) {
        const [sha = "", size = ""] = record.toString("latin1").split(" ");
        if (/^\d+$/.test(size)) sizes.set(sha, Number(size));
      }
      await git.done;
      return sizes;
    },
    async *readBlobs(shas) {
      const git = startGit(local(["cat-file", "--batch"]));
      feed(git.stdin, shas);
      try {
        yield* readBatch(git.stdout, MAX_FILE_BYTES);
        await git.done;
      } finally {
        git.kill();
      }
    },
  };
}

const NEW_LINE = 10;

function feed(stdin: NodeJS.WritableStream, shas: Iterable<string>): void {
  function* lines() {
    for (const sha of shas) yield `${checkedSha(sha)}\n`;
  }
  Readable.from(lines()).pipe(stdin);
}

function checkedSha(sha: string): string {
  if (!/^[0-9a-f]{40}$/.test(sha))
    throw new SyncFailure("malformed_answer", "A repository named an object without a git sha.");
  return sha;
}

/** A value of a git configuration file (git-config(1), Syntax). */
function quoted(value: string): string {
  return `"${value.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n")}"`;
}

/** `<mode> <type> <sha>\t<path>` */
function toEntry(line: string): TreeEntry {
  const tab = line.indexOf("\t");
  const [mode = "", type = "", sha = ""] = line.slice(0, tab).split(" ");
  if (tab === -1 || (type !== "blob" && type !== "tree" && type !== "commit")) {
    throw new SyncFailure("malformed_answer", "The tree of the repository has an entry that cannot be read.");
  }
  return { path: line.slice(tab + 1), mode, type, sha };
}

function tooManyEntries(): SyncFailure {
  return new SyncFailure(
    "too_large",
    `The repository has more than ${MAX_ENTRIES} files. Limit the source to a folder.`,
  );
}

/** Splits output into records that end with `end`, a byte; a rest without it is left out. */
async function* readRecords(stdout: Readable, end: number): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let at = bytes.indexOf(end, start); at !== -1; at = bytes.indexOf(end, start)) {
      yield bytes.subarray(start, at);
      start = at + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > MAX_RECORD_BYTES)
      throw new SyncFailure("malformed_answer", "A path of the repository is too long.");
  }
}

/**
 * Reads the blobs of `git cat-file --batch`: `<sha> <type> <size>`, a new line, the bytes and a new line; `<sha> missing` for an object
 * that is not there, which is left out like one of another type. Throws `too_large` for a blob over `maxBytes`.
 */
async function* readBatch(stdout: Readable, maxBytes: number): AsyncGenerator<ReadBlob> {
  const reader = createByteReader(stdout);
  for (;;) {
    const header = await reader.line();
    if (header === null) return;
    const [sha = "", type = "", text = ""] = header.split(" ");
    if (type === "missing" || text === "") continue;
    const size = Number(text);
    if (size > maxBytes) {
      throw new SyncFailure("too_large", `A file of the repository has ${size} bytes; the limit is ${maxBytes}.`);
    }
    const bytes = await reader.bytes(size);
    await reader.bytes(1);
    if (type === "blob") yield { sha, bytes };
  }
}

function createByteReader(stdout: Readable) {
  const chunks = (stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let length = 0;

  async function more(): Promise<boolean> {
    const { value, done } = await chunks.next();
    if (done) return false;
    held.push(value);
    length += value.length;
    return true;
  }

  function take(count: number): Buffer {
    const all = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held);
    held = count < all.length ? [all.subarray(count)] : [];
    length -= count;
    return all.subarray(0, count);
  }

  return {
    async line(): Promise<string | null> {
      for (let at = -1; ; ) {
        if (held.length > 1) held = [Buffer.concat(held)];
        at = held[0]?.indexOf(10) ?? -1;
        if (at !== -1)
          return take(at + 1)
            .subarray(0, at)
            .toString("latin1");
        if (length > MAX_RECORD_BYTES || !(await more())) return null;
      }
    },
    async bytes(count: number): Promise<Buffer> {
      while (length < count) {
        if (!(await more())) throw new SyncFailure("connection", "git ended before it wrote a whole file.");
      }
      // A copy, so that a small file does not keep a whole chunk in memory.
      return count === 0 ? Buffer.alloc(0) : Buffer.from(take(count));
    },
  };
}
