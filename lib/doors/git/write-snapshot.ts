import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { endOf, startGit } from "./run-git";

const TIMEOUT_MS = 5 * 60_000;
const BRANCH = "refs/heads/main";

// Any object may be asked for by name, which partial clones need: the repository holds nothing but its one commit.
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[uploadpack]
\tallowFilter = true
\tallowAnySHA1InWant = true
[pack]
\tthreads = 1
[gc]
\tauto = 0
`;

export type SnapshotFile = { path: string; mode: "644" | "755"; bytes: Uint8Array };

export type SnapshotContent = {
  /** Seconds since 1970 of its one commit. */
  seconds: number;
  message: string;
  files(): AsyncIterable<SnapshotFile>;
};

/**
 * Writes a bare repository whose branch `main` is one commit without a parent, and nothing else. It is made beside and
 * renamed, so `folder` either holds all of it or does not exist. The same content gives the same commit on every machine.
 */
export async function writeSnapshot(folder: string, content: SnapshotContent): Promise<void> {
  const making = `${folder}.making-${randomUUID()}`;
  let unreadable: unknown;
  async function* told() {
    try {
      yield* commands(content);
    } catch (error) {
      unreadable = error;
      throw error;
    }
  }
  try {
    await mkdir(join(making, "objects"), { recursive: true, mode: 0o700 });
    await mkdir(join(making, "refs", "heads"), { recursive: true });
    await writeFile(join(making, "HEAD"), `ref: ${BRANCH}\n`);
    await writeFile(join(making, "config"), CONFIG);
    const git = startGit({
      args: ["fast-import", "--quiet", "--done", "--date-format=raw"],
      folder: making,
      timeoutMs: TIMEOUT_MS,
    });
    const ended = endOf(git);
    git.child.stdout.resume();
    // How it ended says more than that it no longer reads.
    await Promise.all([ended, pipeline(Readable.from(told()), git.child.stdin).catch(() => ended)]);
    await rename(making, folder);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    // A file that could not be read says more than that git was given no end.
    throw unreadable ?? error;
  }
}

/** The name of the commit (40 hex digits) of a repository that `writeSnapshot` made. */
export async function commitOf(folder: string): Promise<string> {
  return (await readFile(join(folder, ...BRANCH.split("/")), "utf8")).trim();
}

/** The stream that `git fast-import` reads; its format is in git-fast-import(1). */
async function* commands({ seconds, message, files }: SnapshotContent): AsyncGenerator<Buffer> {
  const text = Buffer.from(message, "utf8");
  yield Buffer.from(
    `commit ${BRANCH}\ncommitter Skillgate <skillgate@localhost> ${seconds} +0000\ndata ${text.length}\n`,
  );
  yield text;
  for await (const { path, mode, bytes } of files()) {
    yield Buffer.from(`\nM 100${mode} inline ${quoted(path)}\ndata ${bytes.byteLength}\n`);
    yield Buffer.from(bytes);
  }
  yield Buffer.from("\n\ndone\n");
}

function quoted(path: string): string {
  const escaped = path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `"${escaped}"`;
}
