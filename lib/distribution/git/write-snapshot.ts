import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sha256Hex } from "@/lib/core/hash";
import { logger } from "@/lib/core/logger";
import { endOf, startGit } from "./run-git";

const TIMEOUT_MS = 5 * 60_000;
const BRANCH = "refs/heads/main";

// Pins and partial clones fetch objects by name; the repository holds approved files only.
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[uploadpack]
\tallowFilter = true
\tallowAnySHA1InWant = true
[transfer]
\thideRefs = refs/versions
[pack]
\tthreads = 1
[gc]
\tauto = 0
`;

export type SnapshotFile = { path: string; mode: "644" | "755"; bytes: Uint8Array };

type Commit = {
  seconds: number;
  message: string;
};

export type SnapshotContent = {
  /** Each becomes a commit that is fetched by its hash. */
  versions: (Commit & {
    id: string;
    /** Versions with unreadable files are left out. */
    files(): Promise<SnapshotFile[]>;
  })[];
  /** The branch commit: its own files and those of the chosen versions. */
  branch(written: ReadonlySet<string>): Commit & { files: SnapshotFile[]; versions: string[] };
};

export type Snapshot = {
  commits: ReadonlyMap<string, string>;
  isWhole: boolean;
};

/**
 * Writes a bare repository with a parentless commit per version, and one as `main`. Written beside and renamed, so
 * `folder` is complete or absent. The same content gives the same commits on every machine.
 */
export async function writeSnapshot(folder: string, content: SnapshotContent): Promise<Snapshot> {
  const making = `${folder}.making-${randomUUID()}`;
  const marks: Marks = { next: 1, blobs: new Map(), commits: new Map() };
  try {
    await mkdir(join(making, "objects"), { recursive: true, mode: 0o700 });
    await mkdir(join(making, "refs", "heads"), { recursive: true });
    await writeFile(join(making, "HEAD"), `ref: ${BRANCH}\n`);
    await writeFile(join(making, "config"), CONFIG);
    const git = startGit({
      args: ["fast-import", "--quiet", "--done", "--date-format=raw", `--export-marks=${MARKS_FILE}`],
      folder: making,
      timeoutMs: TIMEOUT_MS,
    });
    const ended = endOf(git);
    git.child.stdout.resume();
    // git's exit says more than a broken pipe.
    await Promise.all([ended, pipeline(Readable.from(commands(content, marks)), git.child.stdin).catch(() => ended)]);
    const names = readMarks(await readFile(join(making, MARKS_FILE), "utf8"));
    await rename(making, folder);
    const commits = new Map([...marks.commits].map(([id, mark]) => [id, names.get(mark) ?? ""]));
    return { commits, isWhole: commits.size === content.versions.length };
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    throw error;
  }
}

/** Outside of what git serves. */
const MARKS_FILE = "versions.marks";

/** Lines of `:<mark> <name>`: see git-fast-import(1). */
function readMarks(text: string): Map<number, string> {
  const lines = text.split("\n").flatMap((line) => /^:(\d+) ([0-9a-f]{40})$/.exec(line) ?? []);
  const found = new Map<number, string>();
  for (let at = 0; at < lines.length; at += 3) found.set(Number(lines[at + 1]), lines[at + 2] ?? "");
  return found;
}

/** Marks of the stream: blobs by SHA-256, commits by version. */
type Marks = { next: number; blobs: Map<string, number>; commits: Map<string, number> };
type Placed = { path: string; mode: SnapshotFile["mode"]; mark: number };

/** The input stream; its format is in git-fast-import(1). */
async function* commands({ versions, branch }: SnapshotContent, marks: Marks): AsyncGenerator<Buffer> {
  const placed = new Map<string, Placed[]>();
  for (const { id, seconds, message, files } of versions) {
    const read = await files().catch((err: unknown) => {
      logger.warn({ err, versionId: id }, "a version was left out of the git repository: it could not be read");
      return null;
    });
    if (read === null) continue;
    const at: Placed[] = [];
    for (const one of read) at.push(yield* blob(one, marks));
    placed.set(id, at);
    const mark = marks.next++;
    marks.commits.set(id, mark);
    yield commit(`refs/versions/${mark}`, { seconds, message, mark }, at);
  }
  const { files, versions: chosen, ...main } = branch(new Set(placed.keys()));
  const own: Placed[] = [];
  for (const one of files) own.push(yield* blob(one, marks));
  const all = [...own, ...chosen.flatMap((id) => placed.get(id) ?? [])];
  yield commit(BRANCH, { ...main, mark: marks.next++ }, [...new Map(all.map((one) => [one.path, one])).values()]);
  yield Buffer.from("done\n");
}

async function* blob({ path, mode, bytes }: SnapshotFile, marks: Marks): AsyncGenerator<Buffer, Placed> {
  const sha256 = sha256Hex(bytes);
  const known = marks.blobs.get(sha256);
  if (known !== undefined) return { path, mode, mark: known };
  const mark = marks.next++;
  marks.blobs.set(sha256, mark);
  yield Buffer.from(`blob\nmark :${mark}\ndata ${bytes.byteLength}\n`);
  yield Buffer.from(bytes);
  yield Buffer.from("\n");
  return { path, mode, mark };
}

function commit(ref: string, { seconds, message, mark }: Commit & { mark: number }, files: Placed[]): Buffer {
  const who = `Skillgate <skillgate@localhost> ${seconds} +0000`;
  const size = Buffer.byteLength(message, "utf8");
  const lines = files.map(({ path, mode, mark: of }) => `M 100${mode} :${of} ${quoted(path)}\n`);
  return Buffer.from(`commit ${ref}\nmark :${mark}\ncommitter ${who}\ndata ${size}\n${message}${lines.join("")}\n`);
}

function quoted(path: string): string {
  const escaped = path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `"${escaped}"`;
}
