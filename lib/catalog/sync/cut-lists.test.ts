import { beforeEach, expect, test } from "vitest";
import { skillMd, testCatalog } from "../testing/test-catalog";

const { github, source, sync, entries, database, pass } = await testCatalog();
const OWNERS = 70;

let round = 0;
const skillsOf = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`skills/owner-${at}/one/SKILL.md`, skillMd(`s-${round}-${at}`)]),
  );
const names = async (id: string) => (await entries(id)).filter((entry) => entry.state === "present").length;
const kept = () => database.reader.catalogBlob.count({ where: { gitSha: { startsWith: "tree:" } } });

beforeEach(() => {
  round += 1;
  github.clearFaults();
  // Each owner is three entries of the list.
  github.truncateAbove = 30;
});

test("a first list that GitHub cuts is completed from one archive, which also brings the files", async () => {
  const { id } = await source({ ...skillsOf(OWNERS), "README.md": "hello" });
  const done = await sync(id);
  expect(done).toMatchObject({ state: "idle", counts: { entries: OWNERS } });
  // Repository, commit, cut list, two folders on the way to the cut, archive.
  expect(github.counts()).toEqual({ api: 6, raw: 0, downloads: 1 });
});

test("a later list costs a request for each folder that changed, and none for those that are known", async () => {
  const { id, repository } = await source(skillsOf(OWNERS));
  await sync(id);
  await repository.commit({
    "skills/owner-69/one/SKILL.md": skillMd(`changed-${round}`),
    "skills/owner-68/two/SKILL.md": skillMd(`new-${round}`),
  });
  expect(await sync(id)).toMatchObject({ state: "idle", counts: { entries: OWNERS + 1 } });
  // Commit, repository, cut list, root, skills, and the two owners.
  expect(github.counts()).toEqual({ api: 7, raw: 2, downloads: 0 });
});

test("without an archive each folder is a request; a rate limit keeps what was listed, and the former entries", async () => {
  const { id, repository } = await source(skillsOf(10));
  expect(await sync(id)).toMatchObject({ counts: { entries: 10 } });
  round += 1;
  await repository.commit(skillsOf(OWNERS));
  github.fail("archive", { answer: { status: 404 } }, 10);
  github.fail("tree", { first: async () => undefined }, 23);
  github.fail("tree", { answer: { status: 429, headers: { "retry-after": "60" } } });
  const limited = await sync(id);
  expect(limited).toMatchObject({ state: "failed", errorCode: "rate_limited", counts: { entries: 10 } });
  // The cut list, the root and the folder of all owners are asked for again.
  expect(await kept()).toBe(20);
  expect(await names(id)).toBe(10);
  pass(3_600_000);
  expect(await sync(id)).toMatchObject({ state: "idle", error: null, counts: { entries: OWNERS } });
  const trees = github.seen.filter(({ kind }) => kind === "tree").length;
  expect(trees).toBeLessThanOrEqual(3 + OWNERS - 20);
  expect(await kept()).toBe(0);
});

test("an archive without some files is completed by requests", async () => {
  const { id } = await source({
    ...skillsOf(OWNERS),
    ".gitattributes": "skills/owner-7/** export-ignore\nskills/owner-8/** export-subst\n",
    "skills/owner-8/one/note.txt": "$Format:%H$",
    "skills/owner-9/lib": { submodule: "1".repeat(40) },
  });
  expect(await sync(id)).toMatchObject({ state: "idle", counts: { entries: OWNERS, blocked: 0 } });
  expect(github.counts().downloads).toBe(1);
  expect(github.counts().api).toBeLessThan(12);
  const files = (await entries(id)).find(({ folder }) => folder === "skills/owner-8/one")?.files ?? "";
  expect(JSON.parse(files).map((file: { path: string }) => file.path)).toEqual(["SKILL.md", "note.txt"]);
});
