import { expect, test } from "vitest";
import { getSource, syncSource } from "../sources/sources";
import { skillMd, testCatalog } from "../testing/test-catalog";

const { github, source, sync, settle, entries, events, admin, pass } = await testCatalog();

test("a cold sync costs three requests and one read per distinct SKILL.md, the next one a single 304", async () => {
  const { id } = await source({
    "skills/pdf/SKILL.md": skillMd("pdf"),
    "skills/pdf/scripts/run.py": { executable: "#!/usr/bin/env python3\n" },
    "skills/xlsx/SKILL.md": skillMd("xlsx"),
    "copies/pdf/SKILL.md": skillMd("pdf"),
    "README.md": "hello",
  });
  const first = await sync(id);
  expect(github.counts()).toEqual({ api: 3, raw: 2, downloads: 0 });
  expect(first).toMatchObject({
    ...{ state: "idle", error: null, requests: 3, rawReads: 2, done: 2, total: 2, failures: 0 },
    ...{ repositoryId: expect.stringMatching(/^\d+$/), defaultBranch: "main", skipped: [] },
    rateLimit: { limit: 5000, left: expect.any(Number) },
    counts: { entries: 3, removed: 0, blocked: 0, packs: 0, installed: 0 },
  });
  const again = await sync(id);
  expect(github.seen).toMatchObject([{ kind: "commit", status: 304, isConditional: true }]);
  expect(again).toMatchObject({ state: "idle", requests: 1, rawReads: 0, commit: first.commit });
});

test("nothing but what GitHub documents is asked for", async () => {
  const { id, name } = await source({ "a/SKILL.md": skillMd("a") });
  const { commit } = await sync(id);
  expect(github.seen.map(({ path, query }) => path + query)).toEqual([
    `/repos/${name}`,
    `/repos/${name}/commits/main`,
    `/repos/${name}/git/trees/${commit}?recursive=1`,
    `/raw/${name}/${commit}/a/SKILL.md`,
  ]);
});

test("a list that is not found by its commit is asked for by its tree", async () => {
  const { id, repository } = await source({ "a/SKILL.md": skillMd("a") });
  github.fail("tree", { answer: { status: 404 } });
  expect(await sync(id)).toMatchObject({ state: "idle", requests: 4, counts: { entries: 1 } });
  const tree = (await repository.resolve("main"))?.tree;
  expect(github.seen.filter(({ kind }) => kind === "tree").at(-1)?.path).toMatch(new RegExp(`/git/trees/${tree}$`));
});

test("where no tags are sent, a sync without changes still costs one request", async () => {
  github.sendsTags = false;
  const { id, repository } = await source({ "a/SKILL.md": skillMd("a") });
  await sync(id);
  expect(await sync(id)).toMatchObject({ state: "idle", requests: 1, rawReads: 0 });
  await repository.commit({ "a/SKILL.md": skillMd("b") });
  expect(await sync(id)).toMatchObject({ state: "idle", requests: 3, rawReads: 1 });
  github.sendsTags = true;
});

test("an entry says what its folder holds", async () => {
  const { id } = await source({
    "skills/documents/pdf/SKILL.md": skillMd(
      "pdf",
      "Reads PDF.",
      "license: MIT\nallowed-tools: Read, Bash(git add:*)\n",
    ),
    "skills/documents/pdf/scripts/run.py": { executable: "#!/usr/bin/env python3\n" },
  });
  await sync(id);
  const [entry] = await entries(id);
  expect(entry).toMatchObject({
    ...{ folder: "skills/documents/pdf", name: "pdf", slug: "pdf", description: "Reads PDF.", license: "MIT" },
    ...{ category: "documents", kind: "playbook", classGuess: "mutating", hasScripts: true, filesCount: 2 },
    ...{ allowedTools: '["Read","Bash(git add:*)"]', toolNames: '["Read","Bash"]', state: "present" },
  });
  expect(JSON.parse(entry?.files ?? "")).toMatchObject([
    { path: "SKILL.md", mode: "644", kind: "file" },
    { path: "scripts/run.py", mode: "755", size: 23, sha: expect.stringMatching(/^[0-9a-f]{40}$/) },
  ]);
});

test("a changed script changes the skill without reading its SKILL.md again; a commit elsewhere does not", async () => {
  const { id, repository } = await source({ "a/SKILL.md": skillMd("a"), "a/run.sh": "1", "b/SKILL.md": skillMd("b") });
  await sync(id);
  const before = await entries(id);
  await repository.commit({ "a/run.sh": "2" });
  await sync(id);
  expect(github.counts()).toEqual({ api: 3, raw: 0, downloads: 0 });
  const after = await entries(id);
  expect(after[0]?.treeSha).not.toBe(before[0]?.treeSha);
  expect(after[0]?.changedAt).not.toEqual(before[0]?.changedAt);
  expect(after[1]).toEqual({ ...before[1], commit: after[0]?.commit });
  await repository.commit({ "README.md": "unrelated" });
  await sync(id);
  expect((await entries(id)).map((entry) => entry.treeSha)).toEqual(after.map((entry) => entry.treeSha));
  const synced = (await events(id)).filter((event) => event.action === "catalog_source.synced");
  expect(synced.map((event) => JSON.parse(event.data))).toMatchObject([{ added: 2 }, { changed: 1, added: 0 }]);
});

test("a skill that is gone is kept as removed and comes back under its old id", async () => {
  const { id, repository } = await source({ "a/SKILL.md": skillMd("a"), "b/SKILL.md": skillMd("b") });
  await sync(id);
  const [first] = await entries(id);
  await repository.commit({ "a/SKILL.md": null });
  expect((await sync(id)).counts).toMatchObject({ entries: 1, removed: 1 });
  expect((await entries(id))[0]).toMatchObject({ id: first?.id, state: "removed", removedAt: expect.any(Date) });
  await repository.commit({ "a/SKILL.md": skillMd("a") });
  await sync(id);
  expect((await entries(id))[0]).toMatchObject({ id: first?.id, state: "present", removedAt: null });
});

test("a source can be a branch, a tag or a commit, and one folder of it", async () => {
  const { id, repository, name } = await source(
    { "one/a/SKILL.md": skillMd("a"), "two/b/SKILL.md": skillMd("b") },
    { folder: "one" },
  );
  await sync(id);
  expect((await entries(id)).map((entry) => entry.folder)).toEqual(["one/a"]);
  const sha = await repository.commit({ "c/SKILL.md": skillMd("c") }, { branch: "feature/c" });
  await repository.tag("v1");
  for (const ref of ["feature/c", "v1", sha]) {
    const other = await source(null, { repoUrl: `https://github.com/${name}`, ref });
    expect(await sync(other.id)).toMatchObject({ state: "idle", commit: sha, counts: { entries: 3 } });
  }
});

test("a list that GitHub cuts is put together folder by folder", async () => {
  const { id } = await source({
    "a/one/SKILL.md": skillMd("one"),
    "a/two/SKILL.md": skillMd("two"),
    "b/three/SKILL.md": skillMd("three"),
    "SKILL.md": skillMd("root"),
  });
  github.truncateAbove = 3;
  const done = await sync(id);
  github.truncateAbove = 100_000;
  expect(done).toMatchObject({ state: "idle", counts: { entries: 4 } });
  expect((await entries(id)).map((entry) => entry.folder)).toEqual(["", "a/one", "a/two", "b/three"]);
  expect((await entries(id))[0]?.treeSha).toMatch(/^[0-9a-f]{40}$/);
});

test("two syncs asked for at once are one", async () => {
  const { id } = await source({ "a/SKILL.md": skillMd("once") });
  github.seen.length = 0;
  const jobs = await Promise.all([syncSource(admin, id), syncSource(admin, id)]);
  expect(jobs[0]).toEqual(jobs[1]);
  expect(await getSource(admin, id)).toMatchObject({ state: "queued", jobId: jobs[0].jobId, done: 0, total: 0 });
  await Promise.all([settle(), settle()]);
  expect(github.counts()).toEqual({ api: 3, raw: 1, downloads: 0 });
});

test("a source is due after its interval, a disabled one never; after a day its repository is looked at again", async () => {
  const on = await source({ "a/SKILL.md": skillMd("a") });
  const off = await source({ "a/SKILL.md": skillMd("a") }, { enabled: false });
  await sync(on.id);
  github.seen.length = 0;
  pass(359 * 60_000);
  await settle();
  expect(github.seen.filter((one) => one.path.includes(on.name))).toEqual([]);
  pass(2 * 60_000);
  await settle();
  expect(github.seen.filter((one) => one.path.includes(on.name))).toMatchObject([{ kind: "commit", status: 304 }]);
  pass(24 * 3_600_000);
  await sync(on.id);
  expect(github.seen.filter((one) => one.path.includes(on.name)).map((one) => one.kind)).toEqual([
    "repository",
    "commit",
  ]);
  expect(await getSource(admin, off.id)).toMatchObject({ syncedAt: null, nextSyncAt: null });
});
