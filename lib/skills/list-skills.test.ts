import { expect, test } from "vitest";
import { startRun } from "@/lib/runner/runs/start-run";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { deleteSkill } from "./edit-skills";
import { listSkills } from "./list-skills";
import { ListSkillsQuery } from "./schema";
import { importSkills } from "./transfer/import-skills";

const { person, database } = await testDatabase();

async function names(ctx: Parameters<typeof listSkills>[0], query: Record<string, string> = {}) {
  const page = await listSkills(ctx, ListSkillsQuery.parse(query));
  return page.items.map((skill) => skill.name);
}

test("filters narrow the list, and a deleted skill is gone and its name free", async () => {
  const user = await person();
  const reviewer = await person("reviewer");
  const pack = await approvedSkill(user.ctx, reviewer.ctx, {
    name: "disk_report",
    manifest: { class: "mutating", category: "ops", tags: ["disk", 'a"b'] },
  });
  await importSkills(user.ctx, { ...(await zipUpload("p", playbookFiles())), owner: "me" });
  expect(await names(user.ctx)).toEqual(["disk_report", "tidy-notes"]);
  expect(await names(user.ctx, { class: "mutating" })).toEqual(["disk_report"]);
  expect(await names(user.ctx, { category: "ops" })).toEqual(["disk_report"]);
  expect(await names(user.ctx, { tag: 'a"b' })).toEqual(["disk_report"]);
  expect(await names(user.ctx, { tag: "dis" })).toEqual([]);
  expect(await names(user.ctx, { enabled: "true" })).toEqual(["disk_report"]);
  expect(await names(user.ctx, { state: "pending" })).toEqual(["tidy-notes"]);
  expect(await names(user.ctx, { q: "meeting TIDY" })).toEqual(["tidy-notes"]);
  expect(await names(user.ctx, { q: "100%" })).toEqual([]);
  await deleteSkill(user.ctx, pack.id);
  expect(await names(user.ctx)).toEqual(["tidy-notes"]);
  await approvedSkill(user.ctx, reviewer.ctx, { name: "disk_report" });
});

test("a search forgives a typing error in a word that no listed skill has, and no other", async () => {
  const user = await person();
  const other = await person();
  await importSkills(user.ctx, { ...(await zipUpload("p", playbookFiles({ name: "tidy-notes" }))), owner: "me" });
  await importSkills(user.ctx, { ...(await zipUpload("q", playbookFiles({ name: "release-summary" }))), owner: "me" });
  expect(await names(user.ctx, { q: "relaese" })).toEqual(["release-summary"]);
  expect(await names(user.ctx, { q: "release_sumary" })).toEqual(["release-summary"]);
  expect(await names(user.ctx, { q: "meeting relaese" })).toEqual(["release-summary"]);
  expect(await names(user.ctx, { q: "tidy release" })).toEqual([]);
  expect(await names(user.ctx, { q: "!!" })).toEqual([]);
  expect(await names(user.ctx, { q: "kubernetes" })).toEqual([]);
  expect(await names(user.ctx, { q: "relaese", source: "catalog" })).toEqual([]);
  expect(await names(other.ctx, { q: "relaese" })).toEqual([]);
});

test("each skill comes with its own last runs, oldest first", async () => {
  const user = await person();
  const reviewer = await person("reviewer");
  const worker = await testWorker(database);
  for (const name of ["alpha", "beta"]) {
    const skill = await approvedSkill(user.ctx, reviewer.ctx, { name });
    for (let index = 0; index < 14; index++) {
      await startRun(user.ctx, skill.id, { args: { text: "x" }, wait: 0 });
      const [lease] = await worker.lease();
      if (lease) await worker.complete(lease, { durationMs: index });
    }
  }
  const { items } = await listSkills(user.ctx, ListSkillsQuery.parse({}));
  for (const skill of items)
    expect(skill.recentRuns.map((run) => run.durationMs)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
});

test("a reviewer sees all skills, another user does not", async () => {
  const owner = await person();
  await importSkills(owner.ctx, { ...(await zipUpload("p", playbookFiles({ name: "only-mine" }))), owner: "me" });
  expect(await names((await person()).ctx, { q: "only-mine" })).toEqual([]);
  expect(await names((await person("reviewer")).ctx, { q: "only-mine" })).toEqual(["only-mine"]);
});

test("what is the caller's, the organisation's and other people's is told apart", async () => {
  const mine = await person("reviewer");
  const other = await person();
  const add = async ({ ctx }: typeof mine, name: string, owner: "me" | "org") =>
    importSkills(ctx, { ...(await zipUpload(name, playbookFiles({ name }))), owner });
  await add(mine, "apart-mine", "me");
  await add(mine, "apart-common", "org");
  await add(other, "apart-shared", "me");
  const apart = (owner: string) => names(mine.ctx, { q: "apart-", owner });
  expect(await apart("me")).toEqual(["apart-mine"]);
  expect(await apart("org")).toEqual(["apart-common"]);
  expect(await apart("shared")).toEqual(["apart-shared"]);
});
