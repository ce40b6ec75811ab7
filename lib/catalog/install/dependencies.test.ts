import { expect, test } from "vitest";
import { decideVersion } from "@/lib/review/decide-version";
import { dependencyNames } from "@/lib/skill-format/manifest/skill-names";
import { deleteSkill } from "@/lib/skills/edit-skills";
import { listPacks } from "../browse/list-packs";
import { skillMd, testCatalog } from "../testing/test-catalog";
import { install } from "./install";
import { getDependencies } from "./plan-dependencies";

const { source, sync, entries, person, database } = await testCatalog();

const needing = (name: string, depends: string) => skillMd(name, `Does ${name}.`, `depends: [${depends}]\n`);

async function listed(files: Parameters<typeof source>[0]) {
  const made = await source(files);
  await sync(made.id);
  const rows = await entries(made.id);
  const idOf = (name: string) => rows.find((row) => row.name === name)?.id ?? "";
  return { ...made, idOf };
}

test("names come from depends and from requires.skills, without owners and versions", () => {
  const requires = (skills: unknown) => ({ metadata: { openclaw: { requires: { skills } } } });
  expect(
    dependencyNames({ depends: ["pdf", "@acme/mail@1.2", "csv >= 2"], meta: requires(["pdf", "xlsx", 7]) }),
  ).toEqual(["pdf", "mail", "csv", "xlsx"]);
  expect(dependencyNames({ depends: [], meta: requires("a, b") })).toEqual(["a", "b"]);
  expect(dependencyNames({ depends: [""], meta: { metadata: ["requires"] } })).toEqual([]);
});

test("what a skill needs is shown as a tree, installed with it in one piece, and reviewed by itself", async () => {
  const { ctx } = await person();
  const { idOf, name } = await listed({
    "skills/report/SKILL.md": needing("report", "charts, tables"),
    "skills/charts/SKILL.md": needing("charts", "colours"),
    "skills/tables/SKILL.md": skillMd(
      "tables",
      "Does tables.",
      "metadata:\n  openclaw:\n    requires:\n      skills: [colours]\n",
    ),
    "skills/colours/SKILL.md": skillMd("colours"),
  });
  const tree = await getDependencies(ctx, { id: idOf("report"), owner: "me" });
  expect(tree.problems).toEqual([]);
  expect(tree.dependencies.map((one) => `${"-".repeat(one.depth)}${one.name} ${one.state}`)).toEqual([
    "-charts listed",
    "--colours listed",
    "-tables listed",
    "--colours listed",
  ]);
  const { skills, reports } = await install(ctx, { id: idOf("report"), owner: "me" });
  expect(reports.map((report) => report.name)).toEqual(["colours", "charts", "tables", "report"]);
  expect(skills.map((skill) => [skill.pendingVersion?.state, skill.enabled])).toEqual(
    Array(4).fill(["pending", false]),
  );
  const after = await getDependencies(ctx, { id: idOf("report"), owner: "me" });
  expect(after.dependencies.map(({ state }) => state)).toEqual(["installed", "installed"]);

  const skillOf = (wanted: string) => skills.find((skill) => skill.name === wanted)?.id ?? "";
  await expect(deleteSkill(ctx, skillOf("colours"))).rejects.toMatchObject({
    code: "conflict",
    message: "“colours” is needed by charts, tables. Delete what needs it first.",
  });
  for (const wanted of ["report", "charts", "tables", "colours"]) await deleteSkill(ctx, skillOf(wanted));
  expect(await database.reader.skill.count({ where: { deletedAt: null, sourceId: { startsWith: `${name}@` } } })).toBe(
    0,
  );
});

test("nothing is installed when something is missing or blocked; it is named, with the source that has it", async () => {
  const { ctx } = await person();
  await listed({ "lone/SKILL.md": skillMd("lone") });
  const { idOf } = await listed({
    "a/SKILL.md": needing("a", "b, lone, nowhere"),
    "b/SKILL.md": needing("b", "c"),
    "c/SKILL.md": skillMd("c"),
    "c/module": { submodule: "1".repeat(40) },
  });
  const before = await database.reader.skill.count();
  const { problems, dependencies } = await getDependencies(ctx, { id: idOf("a"), owner: "me" });
  expect(dependencies.map(({ name, state }) => `${name} ${state}`)).toEqual([
    "b listed",
    "c blocked",
    "lone missing",
    "nowhere missing",
  ]);
  expect(problems).toEqual([
    expect.stringContaining("“c” (needed by “b”) cannot be installed"),
    expect.stringMatching(/^“lone” \(needed by “a”\) is not in the same source. Install it first from Source \d+\.$/),
    "“nowhere” (needed by “a”) is not in the same source.",
  ]);
  await expect(install(ctx, { id: idOf("a"), owner: "me" })).rejects.toMatchObject({
    code: "conflict",
    errors: expect.arrayContaining([{ path: "dependencies", message: expect.stringContaining("nowhere") }]),
  });
  expect(await database.reader.skill.count()).toBe(before);
  const { skills } = await install(ctx, { id: idOf("a"), owner: "me", dependencies: "ignore" });
  expect(skills.map(({ name }) => name)).toEqual(["a"]);
});

test("a cycle is named, installed together, and can be deleted", async () => {
  const { ctx } = await person();
  const { idOf } = await listed({ "a/SKILL.md": needing("a", "b"), "b/SKILL.md": needing("b", "a") });
  const { dependencies } = await getDependencies(ctx, { id: idOf("a"), owner: "me" });
  expect(dependencies.map(({ name, state, depth }) => `${depth} ${name} ${state}`)).toEqual([
    "1 b listed",
    "2 a cycle",
  ]);
  const { skills } = await install(ctx, { id: idOf("a"), owner: "me" });
  expect(skills.map(({ name }) => name).sort()).toEqual(["a", "b"]);
  for (const { id } of skills) await deleteSkill(ctx, id);
});

test("a pack brings what its members need, and leaves out a member whose needs are not met", async () => {
  const { ctx } = await person();
  const { idOf, id } = await listed({
    ".claude-plugin/marketplace.json": JSON.stringify({ name: "kit", plugins: [{ name: "kit", source: "./kit" }] }),
    "kit/one/SKILL.md": needing("one", "base"),
    "kit/two/SKILL.md": needing("two", "absent"),
    "shared/base/SKILL.md": skillMd("base"),
  });
  expect(idOf("base")).not.toBe("");
  const [pack] = (await listPacks(ctx, { limit: 50 })).items.filter(({ sourceId }) => sourceId === id);
  const { skills, reports } = await install(ctx, { id: pack?.id ?? "", owner: "me" });
  expect(skills.map(({ name }) => name).sort()).toEqual(["base", "one"]);
  expect(reports.find(({ name }) => name === "two")).toMatchObject({
    outcome: "refused",
    notes: [{ code: "conflict" }],
  });
});

test("a skill that needs more than a hundred skills is not installed with some of them only", async () => {
  const { ctx } = await person();
  const names = Array.from({ length: 120 }, (_, at) => `leaf-${at}`);
  const { idOf } = await listed({
    "many/SKILL.md": needing("many", names.join(", ")),
    ...Object.fromEntries(names.map((name) => [`leaves/${name}/SKILL.md`, skillMd(name)])),
  });
  const { dependencies } = await getDependencies(ctx, { id: idOf("many"), owner: "me" });
  expect(dependencies).toHaveLength(names.length);
  const { skills } = await install(ctx, { id: idOf("many"), owner: "me" });
  expect(skills).toHaveLength(names.length + 1);
});

test("the names that all members of a pack need are bounded together", async () => {
  const { ctx } = await person();
  const needs = (at: number) => Array.from({ length: 100 }, (_, name) => `absent-${at}-${name}`).join(", ");
  const { id } = await listed({
    ".claude-plugin/marketplace.json": JSON.stringify({ name: "mega", plugins: [{ name: "mega", source: "./mega" }] }),
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`mega/part-${at}/SKILL.md`, needing(`part-${at}`, needs(at))]),
    ),
  });
  const [pack] = (await listPacks(ctx, { limit: 50 })).items.filter(({ sourceId }) => sourceId === id);
  await expect(install(ctx, { id: pack?.id ?? "", owner: "me" })).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining("together"),
  });
});

test("a skill of the organisation stays while an approved skill of a person needs it, whose name is not told", async () => {
  const [{ ctx }, reviewer, second] = [await person(), await person("reviewer"), await person("reviewer")];
  const { idOf } = await listed({ "user/SKILL.md": needing("user", "shared"), "shared/SKILL.md": skillMd("shared") });
  const shared = (await install(reviewer.ctx, { id: idOf("shared"), owner: "org" })).skills[0]?.id ?? "";
  const [user] = (await install(ctx, { id: idOf("user"), owner: "me" })).skills;
  await decideVersion(second.ctx, user?.id ?? "", user?.pendingVersion?.digest ?? "", {
    decision: "approve",
    comment: "",
  });
  await expect(deleteSkill(reviewer.ctx, shared)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("needed by 1 skill of other people"),
  });
  await deleteSkill(ctx, user?.id ?? "");
  await deleteSkill(reviewer.ctx, shared);
});

test("a skill without an approval does not keep one of the organisation", async () => {
  const [{ ctx }, reviewer] = [await person(), await person("reviewer")];
  const { idOf } = await listed({ "user/SKILL.md": needing("user", "common"), "common/SKILL.md": skillMd("common") });
  const common = (await install(reviewer.ctx, { id: idOf("common"), owner: "org" })).skills[0]?.id ?? "";
  await install(ctx, { id: idOf("user"), owner: "me" });
  await deleteSkill(reviewer.ctx, common);
});
