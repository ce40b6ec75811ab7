import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { GitTreeEntry } from "@/e2e/fixtures/fake-github/git-repository";
import { listSources } from "../sources/sources";
import { skillMd, testCatalog } from "../testing/test-catalog";

const { admin, github, source, sync, entries, database } = await testCatalog();
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Adds entries to the next tree that git itself never makes. */
function smuggle(...smuggled: Partial<GitTreeEntry>[]): void {
  github.fail("tree", {
    change: (body) => {
      const answer = JSON.parse(body.toString());
      const plain = { mode: "100644", type: "blob", sha: "0".repeat(40), size: 5 };
      answer.tree.push(...smuggled.map((entry) => ({ ...plain, ...entry })));
      return JSON.stringify(answer);
    },
  });
}

test("a skill can be at the root, at any depth and inside another, with any letter case of its marker", async () => {
  const { id } = await source({
    "SKILL.md": skillMd("root"),
    "docs/guide.md": "of the root",
    "skills/.curated/deep/er/and/deeper/SKILL.md": skillMd("deep"),
    "outer/SKILL.md": skillMd("outer"),
    "outer/inner/skill.md": skillMd("inner"),
    "outer/inner/note.txt": "of the inner one",
    "packs/echo/skill.json": JSON.stringify({
      name: "echo",
      description: "Echoes.",
      schema: {},
      entry: "run.sh",
      class: "safe",
    }),
    "packs/echo/run.sh": { executable: "#!/bin/sh\ncat\n" },
    "node_modules/x/SKILL.md": skillMd("vendored"),
    "drafts/hidden/SKILL.md": skillMd("hidden", "Is not offered.", "metadata:\n  internal: true\n"),
  });
  const done = await sync(id);
  const found = await entries(id);
  const filesOf = (folder: string) =>
    JSON.parse(found.find((entry) => entry.folder === folder)?.files ?? "[]").map(
      (file: { path: string }) => file.path,
    );
  expect(found.map((entry) => entry.name).sort()).toEqual(["deep", "echo", "inner", "outer", "root"]);
  expect(filesOf("outer")).toEqual(["SKILL.md"]);
  expect(filesOf("outer/inner")).toEqual(["note.txt", "skill.md"]);
  expect(filesOf("")).toContain("docs/guide.md");
  expect(found.find((entry) => entry.name === "root")?.treeSha).toBe(
    (await database.reader.catalogSource.findUniqueOrThrow({ where: { id } })).treeSha,
  );
  expect(done.skipped).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ folder: "node_modules/x", code: "ignored_folder" }),
      expect.objectContaining({ folder: "drafts/hidden", code: "internal" }),
    ]),
  );
});

test("links, submodules, LFS pointers and too large files are reported", async () => {
  const { id } = await source({
    "skills/real/SKILL.md": skillMd("real"),
    "skills/real/also.md": { linkTo: "SKILL.md" },
    ".claude/skills/real": { linkTo: "../../skills/real" },
    "skills/linked/SKILL.md": { linkTo: "../real/SKILL.md" },
    "skills/vendor/SKILL.md": skillMd("vendor"),
    "skills/vendor/lib": { submodule: "1".repeat(40) },
    "skills/lfs/SKILL.md": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n",
    "skills/huge/SKILL.md": `${skillMd("huge")}${"x".repeat(2 * 1024 * 1024)}`,
    "skills/broken/skill.json": "{",
    "skills/many/SKILL.md": skillMd("many"),
    ...Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`skills/many/${index}.txt`, "x"])),
  });
  const done = await sync(id);
  expect(done.state).toBe("idle");
  expect(Object.fromEntries(done.skipped.map((item) => [item.folder, item.code]))).toEqual({
    ".claude/skills/real": "link",
    "skills/linked": "marker_is_link",
    "skills/lfs": "lfs_pointer",
    "skills/huge": "too_large",
    "skills/broken": "unreadable",
    "skills/many": "too_many_files",
  });
  expect(done.skipped.find((item) => item.folder === "skills/huge")?.reason).toMatch(
    /2097\d{3} bytes; the limit for this file is 1048576/,
  );
  const found = await entries(id);
  expect(found.map((entry) => [entry.name, entry.blockedCode])).toEqual([
    ["real", null],
    ["vendor", "submodule"],
  ]);
  expect(JSON.parse(found[0]?.diagnostics ?? "")).toMatchObject([{ code: "symlink", path: "also.md" }]);
  expect(github.seen.some((one) => one.path.includes("huge"))).toBe(false);
});

test("a path that climbs out takes its skill with it and nothing else", async () => {
  const { id } = await source({ "a/SKILL.md": skillMd("climber"), "b/SKILL.md": skillMd("bystander") });
  smuggle(
    { path: "../x" },
    { path: "a/../../x" },
    { path: "../evil/SKILL.md" },
    { path: "c\u0000/SKILL.md" },
    { path: "/etc/SKILL.md" },
    { path: ".git/skills/SKILL.md" },
  );
  const done = await sync(id);
  expect(done.state).toBe("idle");
  expect((await entries(id)).map((entry) => entry.name)).toEqual(["bystander"]);
  expect(
    done.skipped
      .filter((item) => item.code === "unsafe_path")
      .map((item) => item.folder)
      .sort(),
  ).toEqual(["../evil", "../x", "/etc", "a", "c�"].sort());
  expect(github.seen.some((one) => /\.\.|etc/.test(one.path))).toBe(false);
});

test("copies have one content key, another mode or byte has another", async () => {
  const { id } = await source({
    "x/pdf/SKILL.md": skillMd("copied"),
    "x/pdf/run.sh": { executable: "1" },
    "y/pdf/SKILL.md": skillMd("copied"),
    "y/pdf/run.sh": { executable: "1" },
    "z/pdf/SKILL.md": skillMd("copied"),
    "z/pdf/run.sh": "1",
  });
  await sync(id);
  const keys = (await entries(id)).map((entry) => entry.contentKey);
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).not.toBe(keys[0]);
});

test("plugins and groups become packs, and keep their ids", async () => {
  const marketplace = {
    name: "acme",
    metadata: { pluginRoot: "./plugins" },
    plugins: [
      {
        name: "office",
        description: "Office files.",
        version: "1.0.0",
        category: "documents",
        source: "./",
        skills: ["./skills/pdf", "./skills/xlsx"],
      },
      { name: "tools", source: "tools" },
      { name: "elsewhere", source: { source: "github", repo: "other/repo" } },
      { name: "climber", source: "../../x" },
      { name: "empty", source: "./nothing" },
    ],
  };
  const { id, repository } = await source({
    "skills/pdf/SKILL.md": skillMd("pdf"),
    "skills/xlsx/SKILL.md": skillMd("xlsx"),
    "plugins/tools/skills/lint/SKILL.md": skillMd("lint"),
    ".claude-plugin/marketplace.json": JSON.stringify(marketplace),
    "skills.sh.json": JSON.stringify({ groupings: [{ title: "Everyday", skills: ["pdf", "lint"] }] }),
  });
  const done = await sync(id);
  const packs = () => database.reader.catalogPack.findMany({ where: { sourceId: id }, orderBy: { name: "asc" } });
  const before = await packs();
  expect(
    before.map(({ kind, name, version, members }) => ({ kind, name, version, members: JSON.parse(members) })),
  ).toEqual([
    { kind: "group", name: "Everyday", version: null, members: ["plugins/tools/skills/lint", "skills/pdf"] },
    { kind: "plugin", name: "office", version: "1.0.0", members: ["skills/pdf", "skills/xlsx"] },
    { kind: "plugin", name: "tools", version: null, members: ["plugins/tools/skills/lint"] },
  ]);
  expect(done.skipped.map((item) => item.reason).join("\n")).toMatch(
    /“elsewhere” is outside[\s\S]*“climber”[\s\S]*“empty” has none/,
  );
  await repository.commit({ "skills.sh.json": "{", "skills/pdf/SKILL.md": skillMd("pdf", "Better.") });
  const next = await sync(id);
  expect((await packs()).map((pack) => pack.id)).toEqual(before.slice(1).map((pack) => pack.id));
  expect(next.skipped.some((item) => item.code === "pack_unreadable")).toBe(true);
});

test("an index file blocks what differs from it and adds its tags to what does not", async () => {
  const good = skillMd("good");
  const index = (hash: string) => ({
    skills: [
      { folder: "good", name: "good", sha256: hash, tags: ["vetted"], requiredCapabilities: ["shell.exec"] },
      { folder: "./bad/", sha256: `sha256:${"0".repeat(64)}` },
      { folder: "garbled", sha256: "not a hash" },
      { folder: "missing" },
    ],
  });
  const { id, repository } = await source({
    "good/SKILL.md": good,
    "bad/SKILL.md": skillMd("bad"),
    "garbled/SKILL.md": skillMd("garbled"),
    "silent/SKILL.md": skillMd("silent"),
    "skillgate-index.json": JSON.stringify(index(sha256(good))),
  });
  const done = await sync(id);
  const blocked = async () => Object.fromEntries((await entries(id)).map((entry) => [entry.name, entry.blockedCode]));
  expect(await blocked()).toEqual({
    good: null,
    bad: "index_mismatch",
    garbled: "index_entry_unreadable",
    silent: null,
  });
  expect(done.counts.blocked).toBe(2);
  expect(done.skipped.map((item) => item.code).sort()).toEqual(["index_entry_unreadable", "index_without_skill"]);
  expect((await entries(id)).find((entry) => entry.name === "good")?.tags).toBe('["vetted"]');
  await repository.commit({ "skillgate-index.json": JSON.stringify(index("1".repeat(64))) });
  await sync(id);
  expect((await blocked()).good).toBe("index_mismatch");
  await repository.commit({ "skillgate-index.json": null });
  await sync(id);
  expect(await blocked()).toEqual({ good: null, bad: null, garbled: null, silent: null });
});

test("a foreign skill.json leaves the word to SKILL.md, and belongs to the skill that it lies in", async () => {
  const { id } = await source({
    "skills/lead/SKILL.md": skillMd("lead"),
    "skills/lead/skill.json": '{"name":"lead-inbox-automator"}',
    "skills/lead/assets/skill.json": '{"name":"theme"}',
    "skills/lead/assets/logo.svg": "x",
    "skills/alone/skill.json": '{"name":"alone"}',
  });
  const done = await sync(id);
  const [lead, ...more] = await entries(id);
  expect(more).toEqual([]);
  expect(lead).toMatchObject({ folder: "skills/lead", name: "lead", kind: "playbook" });
  expect(JSON.parse(lead?.files ?? "[]").map((file: { path: string }) => file.path)).toEqual([
    "SKILL.md",
    "assets/logo.svg",
    "assets/skill.json",
    "skill.json",
  ]);
  expect(JSON.parse(lead?.diagnostics ?? "[]")).toMatchObject([{ code: "skill_json_foreign", severity: "info" }]);
  expect(done.skipped).toMatchObject([{ folder: "skills/alone", code: "unreadable" }]);
});

test("each folder with a skill is listed or skipped with its reason, however many there are", async () => {
  const many = Array.from({ length: 561 }, (_, index) => `packs/pack-${index}`);
  const { id } = await source({
    "skills/good/SKILL.md": skillMd("good"),
    "skills/sub/SKILL.md": { submodule: "2".repeat(40) },
    "dist/one/SKILL.md": skillMd("one"),
    "dist/two/SKILL.md": skillMd("two"),
    ...Object.fromEntries(many.map((folder) => [`${folder}/skill.json`, '{"name":"x"}'])),
  });
  const done = await sync(id);
  expect((await entries(id)).map(({ folder }) => folder)).toEqual(["skills/good"]);
  expect(done.skipped.map(({ folder }) => folder).sort()).toEqual(
    [...many, "skills/sub", "dist/one", "dist/two"].sort(),
  );
  const { items } = await listSources(admin, { limit: 100 });
  const listed = items.find((item) => item.id === id);
  expect(listed?.skippedCount).toBe(564);
  expect(listed?.skipped).toHaveLength(500);
  expect(done.skippedCount).toBe(564);
});
