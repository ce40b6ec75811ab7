import { afterAll, expect, test } from "vitest";
import { type Fault, type Kind, startFakeGitHub } from "@/e2e/fixtures/fake-github/start-fake-github";
import { buildTar } from "@/lib/skill-format/testing/build-tar";
import type { ReadBlob } from "../sync/source-reader";
import { describeReader } from "../testing/reader-contract";
import { createGitHubClient } from "./create-client";
import { createGitHubReader } from "./create-reader";
import { createRateLimitGuard } from "./rate-limit";
import { MAX_ARCHIVE, readArchive } from "./read-archive";

const github = await startFakeGitHub();
process.env.GITHUB_API_URL = github.apiUrl;
process.env.GITHUB_RAW_URL = github.rawUrl;
afterAll(() => github.close());

const MANY = 100;
const KINDS: Kind[] = ["repository", "commit", "tree", "raw", "archive", "download"];
const hosts = { apiUrl: github.apiUrl, rawUrl: github.rawUrl, webUrl: github.apiUrl };
const options = { hosts, token: null as string | null, timeoutMs: 5_000, retryDelayMs: 1 };
const readerOptions = () => ({ ...options, rateLimitGuard: createRateLimitGuard() });
let number = 0;

async function openRepository({ isPrivate = false } = {}) {
  number += 1;
  const place = { kind: "github" as const, owner: "acme", repo: `read-${number}`, isPrivate };
  const repository = await github.repository(`acme/read-${number}`, { isPrivate });
  return { place, repository };
}

const FAULTS: Record<"html" | "cut" | "down", Fault> = {
  html: { answer: { status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html><p>Sign in</p>" } },
  cut: { cut: true },
  down: { answer: { status: 503 } },
};

describeReader("GitHub", async () => {
  const { place, repository } = await openRepository();
  const unknown = { repositoryId: null, defaultBranch: null, identityCheckedAt: null, commit: null, commitEtag: null };
  return {
    commit: (files) => repository.commit(files),
    truth: async (commit) => (await repository.listTree(commit, true)) ?? [],
    forcePush: async (files) => {
      await repository.orphan();
      return repository.commit(files);
    },
    known: { ...place, ...unknown, ref: null },
    reader: () => createGitHubReader(place, readerOptions()),
    break: (how) => {
      for (const kind of KINDS) github.fail(kind, FAULTS[how], 1_000);
    },
    repair: () => github.clearFaults(),
  };
});

/** A repository with many skills, its entries, and what a reader yields for all of them. */
async function manyFiles({ isPrivate = false, token = null as string | null } = {}) {
  const { place, repository } = await openRepository({ isPrivate });
  const files = Object.fromEntries(
    Array.from({ length: MANY }, (_, at) => [`s/${at}/SKILL.md`, `text ${at} of ${number}`]),
  );
  const sha = await repository.commit({ ...files, "s/0/link": { linkTo: "SKILL.md" } });
  const entries = (await repository.listTree(sha, true)) ?? [];
  const wanted = entries.filter(({ path }) => path.endsWith("SKILL.md"));
  github.seen.length = 0;
  const read = async () => {
    const blobs: ReadBlob[] = [];
    const reader = createGitHubReader(place, { ...readerOptions(), token });
    for await (const blob of reader.readBlobs({ sha }, wanted, entries)) blobs.push(blob);
    return blobs;
  };
  const expected = wanted.map((entry) => entry.sha).sort();
  return { place, sha, files, entries, wanted, read, expected };
}

const shasOf = (blobs: ReadBlob[]) => blobs.map(({ sha }) => sha).sort();

test("many files are one archive, few are read one by one", async () => {
  const made = await manyFiles();
  expect(shasOf(await made.read())).toEqual(made.expected);
  expect(github.counts()).toEqual({ api: 1, raw: 0, downloads: 1 });
  github.seen.length = 0;
  const reader = createGitHubReader(made.place, readerOptions());
  for await (const _blob of reader.readBlobs({ sha: made.sha }, made.wanted.slice(0, 20), made.entries));
  expect(github.counts()).toEqual({ api: 0, raw: 20, downloads: 0 });
  expect(reader.usage()).toMatchObject({ requests: 0, rawReads: 20 });
});

test("an archive that holds far more than what is wanted is not downloaded", async () => {
  const made = await manyFiles();
  const heavy = {
    ...made,
    entries: [
      ...made.entries,
      { path: "video.mp4", mode: "100644", type: "blob" as const, sha: "f".repeat(40), size: 2 ** 31 },
    ],
  };
  const reader = createGitHubReader(made.place, readerOptions());
  for await (const _blob of reader.readBlobs({ sha: made.sha }, heavy.wanted, heavy.entries));
  expect(github.counts()).toEqual({ api: 0, raw: MANY, downloads: 0 });
});

test("the archive of a private repository is downloaded without the token", async () => {
  const made = await manyFiles({ isPrivate: true, token: "ghp_0123456789012345678901234567890123456789" });
  expect(shasOf(await made.read())).toEqual(made.expected);
  expect(github.seen.map(({ kind, hasToken }) => [kind, hasToken])).toEqual([
    ["archive", true],
    ["download", false],
  ]);
});

test.each([
  ["another host", "https://evil.example/x", 0],
  ["an address of this network", "http://169.254.169.254/latest", 0],
  ["no address", "https://", 0],
])("an archive at %s is not asked for; its files are read one by one", async (_name, location, downloads) => {
  const made = await manyFiles();
  github.fail("archive", { answer: { status: 302, headers: { location } } });
  expect(shasOf(await made.read())).toEqual(made.expected);
  expect(github.counts()).toEqual({ api: 1, raw: MANY, downloads });
});

test.each([
  ["does not exist", { answer: { status: 404 } }],
  ["is a web page", { answer: { status: 200, body: "<!doctype html>" } }],
  ["redirects again", { answer: { status: 302, headers: { location: "https://evil.example/" } } }],
] satisfies [string, Fault][])("an archive that %s is replaced by the files", async (_name, fault) => {
  const made = await manyFiles();
  github.fail("download", fault);
  expect(shasOf(await made.read())).toEqual(made.expected);
  expect(github.counts()).toMatchObject({ raw: MANY, downloads: 1 });
});

test("a download that is cut begins again; what arrived is not yielded twice", async () => {
  const made = await manyFiles();
  github.fail("download", { cut: true });
  expect(shasOf(await made.read())).toEqual(made.expected);
  expect(github.counts()).toEqual({ api: 2, raw: 0, downloads: 2 });
  github.fail("download", { answer: { status: 503 } }, 3);
  await expect(made.read()).rejects.toMatchObject({ code: "upstream_unavailable" });
  github.clearFaults();
});

test("a rate limit of the archive ends the read", async () => {
  const made = await manyFiles();
  github.fail("archive", { answer: { status: 429, headers: { "retry-after": "90" } } });
  await expect(made.read()).rejects.toMatchObject({ code: "rate_limited", retryAt: expect.any(Date) });
});

test("hostile entries of an archive give nothing: their bytes are not those of the tree", async () => {
  const made = await manyFiles();
  const names = Object.keys(made.files);
  const [one = "", two = "", three = "", four = ""] = names;
  const hostile = await buildTar([
    { name: "top/", type: "directory" },
    { name: `top/${one}`, data: "evil" },
    { name: `top/${two}`, type: "symlink", linkname: "/etc/passwd" },
    { name: `top/${three}`, type: "link", linkname: `top/${one}` },
    { name: `top/${four}`, type: "character-device" },
    { name: "../../etc/cron.d/x", data: "evil" },
    { name: "/etc/passwd", data: "evil" },
    { name: "top/a/../../x", data: "evil" },
    { name: "top/.git/config", data: "evil" },
    ...names.slice(4, 50).map((name) => ({ name: `top/${name}`, data: made.files[name] ?? "" })),
  ]);
  github.fail("download", { change: () => Buffer.from(hostile) });
  const blobs = await made.read();
  expect(shasOf(blobs)).toEqual(made.expected);
  expect(blobs.every(({ bytes }) => !Buffer.from(bytes).toString().includes("evil"))).toBe(true);
  expect(github.counts()).toEqual({ api: 1, raw: MANY - 46, downloads: 1 });
});

test.each([
  ["its download", { packed: 1_000 }],
  ["its content", { unpacked: 20_000 }],
  ["its entries", { entries: 10 }],
])("an archive is refused above the limit of %s, however small the other two are", async (_name, limit) => {
  const { place, repository } = await openRepository();
  const noise = Array.from({ length: 30 }, (_, at) => [`${at}.txt`, `${at} `.repeat(2_000)]);
  const sha = await repository.commit(Object.fromEntries(noise));
  const read = async (limits: typeof MAX_ARCHIVE) => {
    const all = readerOptions();
    const request = { name: place, commit: sha, wants: () => true, limits };
    let count = 0;
    for await (const _file of readArchive(createGitHubClient(all), all, request)) count += 1;
    return count;
  };
  expect(await read(MAX_ARCHIVE)).toBe(30);
  await expect(read({ ...MAX_ARCHIVE, ...limit })).rejects.toMatchObject({ code: "too_large" });
});

test("files, links and executables of an archive have the modes and shas of git", async () => {
  const { place, repository } = await openRepository();
  const sha = await repository.commit({
    "a b/é.md": "text",
    "run.sh": { executable: "#!/bin/sh\n" },
    link: { linkTo: "a b/é.md" },
    [`${"long/".repeat(60)}name.txt`]: "x",
    empty: "",
  });
  const all = readerOptions();
  const files = [];
  for await (const { path, mode, sha: id } of readArchive(createGitHubClient(all), all, {
    name: place,
    commit: sha,
    wants: () => false,
  }))
    files.push({ path, mode, id });
  const truth = ((await repository.listTree(sha, true)) ?? []).filter(({ type }) => type === "blob");
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
  expect(files.sort(byPath)).toEqual(truth.map(({ path, mode, sha: id }) => ({ path, mode, id })).sort(byPath));
});
