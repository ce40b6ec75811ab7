import { mkdtempSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type GitFault, startGitServer } from "@/e2e/fixtures/git-server/start-git-server";
import type { KnownSource, ListingMemory, ReadBlob, TreeEntry } from "../sync/source-reader";
import { describeReader } from "../testing/reader-contract";
import { createGitReader } from "./create-git-reader";
import type { GitOptions } from "./git-remote";

const server = await startGitServer();
const scratch = mkdtempSync(join(tmpdir(), "skillgate-git-reader-"));
afterAll(async () => {
  await server.close();
  rmSync(scratch, { recursive: true, force: true });
});
beforeEach(() => {
  vi.stubEnv("SKILLGATE_OUTGOING_RANGES", "127.0.0.1");
  return () => vi.unstubAllEnvs();
});

const NOW = new Date();
const BASE: GitOptions = { credential: null, scratch, timeoutMs: 10_000 };
let number = 0;

async function openRepository(options: Parameters<typeof server.repository>[1] = {}) {
  number += 1;
  const path = `group/repo-${number}`;
  const repository = await server.repository(path, options);
  const place = { repoUrl: `${server.origin}/${path}.git`, hostKeys: null };
  const known: KnownSource = {
    ...{ owner: "127.0.0.1/group", repo: `repo-${number}`, ref: null, isPrivate: false },
    ...{ repositoryId: null, defaultBranch: null, identityCheckedAt: null, commit: null, commitEtag: null },
  };
  const reader = (given: Partial<GitOptions> = {}) => createGitReader(place, { ...BASE, ...given });
  return { repository, place, known, reader };
}

for (const [name, config] of [
  ["git over http", {}],
  ["git over http without partial clones", { "uploadpack.allowFilter": "false" }],
] as const) {
  describeReader(name, async () => {
    const { repository, known, reader } = await openRepository({ config });
    return {
      commit: (files) => repository.commit(files),
      truth: async (commit) => (await repository.listTree(commit, true)) ?? [],
      forcePush: async (files) => {
        await repository.orphan();
        return repository.commit(files);
      },
      known,
      reader: () => reader(),
      break: (how) => server.fail(how),
      repair: () => server.fail(null),
    };
  });
}

async function list(
  reader: ReturnType<typeof createGitReader>,
  sha: string,
  options: Partial<Parameters<typeof reader.listTree>[1]> = {},
) {
  const listing = await reader.listTree({ sha, treeSha: null }, { folder: null, etag: null, memory: null, ...options });
  if (listing === "unchanged") throw new Error("unchanged without a tag");
  return listing;
}

function memoryOf(files: TreeEntry[]): ListingMemory {
  return {
    formerFiles: async function* () {
      yield files;
    },
    async *formerSkills() {},
    keptTree: async () => null,
    keepTree: async () => undefined,
    wants: () => true,
    keepBlob: async () => undefined,
  };
}

async function read(blobs: AsyncIterable<ReadBlob>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { sha, bytes } of blobs) found.set(sha, Buffer.from(bytes).toString());
  return found;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe("requests", () => {
  test("an unchanged repository is one ls-remote, without a local repository", async () => {
    const { repository, known, reader } = await openRepository();
    const sha = await repository.commit({ "a/SKILL.md": "one" });
    server.seen.length = 0;
    const empty = mkdtempSync(join(scratch, "empty-"));
    const first = reader({ scratch: empty });
    expect(await first.changedSince({ ...known, commit: sha }, NOW)).toMatchObject({
      commit: "unchanged",
      ref: "main",
    });
    expect(first.usage().requests).toBe(1);
    expect(server.seen.map(({ path }) => path.split("/").at(-1))).toEqual(["refs", "git-upload-pack"]);
    expect((await readdir(empty)).filter((name) => !name.startsWith("home-"))).toEqual([]);
  });

  test("files that are new are fetched alone, with their sizes; others keep the size that was stored", async () => {
    const { repository, reader } = await openRepository();
    const first = await repository.commit({
      "a/SKILL.md": "one",
      "a/data.txt": "x".repeat(500),
      "other.bin": "no skill",
    });
    const one = reader();
    const before = await list(one, first, { memory: memoryOf([]) });
    expect(Object.fromEntries(before.entries.map(({ path, size }) => [path, size]))).toEqual({
      ...{ a: undefined, "a/SKILL.md": 3, "a/data.txt": 500, "other.bin": undefined },
    });
    const second = await repository.commit({ "a/SKILL.md": "three" });
    const two = reader();
    const stored = before.entries.map((entry) => (entry.path === "a/data.txt" ? { ...entry, size: 77 } : entry));
    const after = await list(two, second, { memory: memoryOf(stored) });
    const sizes = Object.fromEntries(after.entries.map(({ path, size }) => [path, size]));
    expect([sizes["a/SKILL.md"], sizes["a/data.txt"]]).toEqual([5, 77]);
    const marker = after.entries.find(({ path }) => path === "a/SKILL.md") as TreeEntry;
    expect((await read(two.readBlobs({ sha: second }, [marker], after.entries))).get(marker.sha)).toBe("three");
    // The commit and its trees, then the one file.
    expect(two.usage().requests).toBe(2);
  });
});

describe("refs", () => {
  test("a branch, a tag, a sha and the default branch, which may be renamed", async () => {
    const { repository, known, reader } = await openRepository();
    const main = await repository.commit({ "a/SKILL.md": "one" });
    await repository.git("tag", "-a", "v1", "-m", "annotated");
    const other = await repository.commit({ "a/SKILL.md": "two" }, { branch: "feature/x" });
    const commitOf = async (ref: string | null) => {
      const { commit } = await reader().changedSince({ ...known, ref }, NOW);
      return commit === "unchanged" ? null : commit.sha;
    };
    expect(await commitOf("feature/x")).toBe(other);
    expect(await commitOf("v1")).toBe(main);
    expect(await commitOf(main)).toBe(main);
    await repository.git("symbolic-ref", "HEAD", "refs/heads/feature/x");
    const renamed = await reader().changedSince({ ...known, defaultBranch: "main" }, NOW);
    expect(renamed).toMatchObject({
      ref: "feature/x",
      commit: { sha: other },
      identity: { defaultBranch: "feature/x" },
    });
  });

  test("a repository without a commit says so", async () => {
    const { known, reader } = await openRepository();
    expect(await failureOf(reader().changedSince(known, NOW))).toMatchObject({ code: "empty" });
  });
});

describe("credentials", () => {
  test("a token goes to the host, and a wrong or missing one is named", async () => {
    const { repository, known, reader } = await openRepository({ token: "s3cret-token" });
    await repository.commit({ "a/SKILL.md": "one" });
    const credential = { kind: "token" as const, token: "s3cret-token", username: null };
    const { identity } = await reader({ credential }).changedSince(known, NOW);
    expect(identity?.isPrivate).toBe(true);
    expect(await failureOf(reader().changedSince(known, NOW))).toMatchObject({ code: "token_refused" });
    const wrong = await failureOf(reader({ credential: { ...credential, token: "wrong" } }).changedSince(known, NOW));
    expect(wrong).toMatchObject({ code: "token_refused", message: expect.not.stringContaining("wrong") });
  });
});

describe("a hostile repository", () => {
  test("nothing of it is executed or checked out, and its entries are listed as they are", async () => {
    const { repository, known, reader } = await openRepository();
    const marker = join(scratch, "executed");
    await repository.commit({
      "a/SKILL.md": "text",
      ".gitattributes": "* filter=evil diff=evil\n*.md export-ignore\n",
      ".gitmodules": `[submodule "x"]\n\tpath = sub\n\turl = ext::sh -c "touch ${marker}"\n\tupdate = !touch ${marker}\n`,
      ".lfsconfig": `[lfs]\n\turl = http://127.0.0.1:1/\n`,
      sub: { submodule: "1".repeat(40) },
      "a/loop": { linkTo: "../a" },
      "a/out": { linkTo: "../../../../etc/passwd" },
    });
    const blob = (await repository.git("rev-parse", "HEAD:a/SKILL.md")).trim();
    // Paths that git add refuses are written as trees.
    const tree = await writeTree(repository, [
      `100644 blob ${blob}\t..`,
      `100644 blob ${blob}\t.git`,
      `100755 blob ${blob}\tpost-checkout`,
    ]);
    const hooks = await writeTree(repository, [`040000 tree ${tree}\thooks`]);
    const root = await writeTree(repository, [
      `040000 tree ${hooks}\t.git`,
      `040000 tree ${(await repository.git("rev-parse", "HEAD:a")).trim()}\ta`,
    ]);
    const sha = (await repository.git("commit-tree", root, "-m", "hostile")).trim();
    await repository.git("update-ref", "refs/heads/main", sha);
    const one = reader();
    const { commit } = await one.changedSince(known, NOW);
    expect(commit).toMatchObject({ sha });
    const { entries } = await list(one, sha, { memory: memoryOf([]) });
    expect(entries.map(({ path }) => path)).toEqual(
      expect.arrayContaining([".git/hooks/..", ".git/hooks/.git", ".git/hooks/post-checkout", "a/SKILL.md", "a/out"]),
    );
    const wanted = entries.filter(({ type, path }) => type === "blob" && path.startsWith("a/"));
    const texts = await read(one.readBlobs({ sha }, wanted, entries));
    expect([...texts.values()].sort()).toEqual(["../../../../etc/passwd", "../a", "text"]);
    expect(await readdir(scratch)).not.toContain("executed");
  });

  test("settings of the machine and of this process do not reach git", async () => {
    const { repository, known, reader } = await openRepository();
    await repository.commit({ "a/SKILL.md": "one" });
    const home = mkdtempSync(join(tmpdir(), "skillgate-home-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const { writeFile } = await import("node:fs/promises");
    await writeFile(join(home, ".gitconfig"), `[url "http://127.0.0.1:1/"]\n\tinsteadOf = ${server.origin}/\n`);
    vi.stubEnv("HOME", home);
    vi.stubEnv("GIT_DIR", home);
    vi.stubEnv("http_proxy", "http://127.0.0.1:1");
    vi.stubEnv("GIT_SSH_COMMAND", "false");
    expect((await reader().changedSince(known, NOW)).ref).toBe("main");
  });
});

describe("a broken host", () => {
  test.each([
    ["html", "malformed_answer"],
    ["down", "upstream_unavailable"],
    ["redirect", "redirect_refused"],
    ["login", "token_refused"],
    ["hang", "timeout"],
  ] as [GitFault, string][])("%s is %s", async (fault, code) => {
    const { repository, known, reader } = await openRepository();
    await repository.commit({ "a/SKILL.md": "one" });
    server.fail(fault);
    onTestFinished(() => server.fail(null));
    expect(await failureOf(reader({ timeoutMs: 500 }).changedSince(known, NOW))).toMatchObject({ code });
  });

  test("a host that sends too much is cut off", async () => {
    const { repository, known, reader } = await openRepository();
    const { randomBytes } = await import("node:crypto");
    const sha = await repository.commit({ "a/SKILL.md": "one", "a/noise.bin": randomBytes(300_000) });
    const small = reader({ maxBytes: 100_000 });
    await small.changedSince(known, NOW);
    expect(await failureOf(list(small, sha, { memory: memoryOf([]) }))).toMatchObject({ code: "too_large" });
  });

  test("an aborted sync ends git at once", async () => {
    const { repository, known, reader } = await openRepository();
    await repository.commit({ "a/SKILL.md": "one" });
    server.fail("hang");
    onTestFinished(() => server.fail(null));
    const stop = new AbortController();
    const waiting = failureOf(reader({ signal: stop.signal }).changedSince(known, NOW));
    await vi.waitUntil(() => server.seen.at(-1)?.path.endsWith("/info/refs"));
    stop.abort(new Error("stopped"));
    expect(await waiting).toMatchObject({ message: "stopped" });
  });
});

describe("addresses", () => {
  test.each([
    ["http://127.0.0.1:1/x.git", "", "address_not_allowed"],
    ["ssh://git@127.0.0.1:1/x.git", "", "address_not_allowed"],
    ["https://169.254.169.254/x.git", "127.0.0.1", "address_not_allowed"],
    ["http://127.0.0.1:1/x.git", "127.0.0.1", "connection"],
  ])("%s with the open ranges “%s” is %s", async (repoUrl, ranges, code) => {
    vi.stubEnv("SKILLGATE_OUTGOING_RANGES", ranges);
    const reader = createGitReader({ repoUrl, hostKeys: null }, BASE);
    const { known } = await openRepository();
    expect(await failureOf(reader.changedSince(known, NOW))).toMatchObject({ code });
  });
});

/** Writes a tree object with any names. */
async function writeTree(repository: { folder: string }, lines: string[]): Promise<string> {
  const { execFileSync } = await import("node:child_process");
  const entries = lines.map((line) => {
    const [meta = "", name = ""] = line.split("\t");
    const [mode = "", , sha = ""] = meta.split(" ");
    return {
      name,
      bytes: Buffer.concat([Buffer.from(`${mode.replace(/^0/, "")} ${name}\0`), Buffer.from(sha, "hex")]),
    };
  });
  const body = Buffer.concat(entries.map(({ bytes }) => bytes));
  const args = ["hash-object", "-w", "--literally", "-t", "tree", "--stdin"];
  return execFileSync("git", args, { cwd: repository.folder, input: body }).toString().trim();
}
