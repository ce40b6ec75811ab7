import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { splitSkillDirs } from "../main";
import { makeWorkDir } from "../testing/make-work-dir";
import { readFoldersHere } from "../testing/read-folders-here";
import type { FolderReader } from "./folder-reader";
import { scanSkills } from "./scan-skills";

type Contents = Record<string, string | Record<string, unknown>>;

/** Creates a directory of skills: objects are written as JSON, and a path that ends with `*` is executable. */
function makeRoot(contents: Contents, root = makeWorkDir()): string {
  for (const [name, content] of Object.entries(contents)) {
    const path = join(root, name.replace(/\*$/, ""));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    if (name.endsWith("*")) chmodSync(path, 0o755);
  }
  return root;
}

const pack = (name: string, more: Record<string, unknown> = {}) => ({
  ...{ name, description: "Does things.", entry: "run.sh", class: "safe" },
  ...more,
});
const scan = async (...roots: string[]) => {
  const found = await scanSkills(
    roots.map((path) => ({ kind: "directory", path })),
    readFoldersHere,
  );
  return { ...found, texts: found.lines.map(({ text }) => text), paths: found.items.map(({ path }) => path) };
};

it("registers a valid manifest with every file of its folder", async () => {
  const root = makeRoot({ "disk/skill.json": pack("disk"), "disk/run.sh*": "#!/bin/sh\n", "disk/lib/a.txt": "a" });
  const { items, texts, problems } = await scan(root);
  expect(items[0]).toMatchObject({ kind: "directory", root, path: `${root}/disk` });
  expect(items[0]?.files.map(({ path, mode }) => [path, mode])).toEqual([
    ["lib/a.txt", "644"],
    ["run.sh", "755"],
    ["skill.json", "644"],
  ]);
  expect(problems).toEqual([]);
  expect(texts).toEqual([
    `skill loader: registered subprocess skill "disk" from ${root}/disk/skill.json`,
    "skill loader: registered 1 skill from 1 directory in total",
  ]);
});

it("a folder over which the reader ends is told, and keeps no other away", async () => {
  const root = makeRoot({
    ...{ "a/skill.json": pack("a"), "a/run.sh*": "#!/bin/sh\n" },
    ...{ "b/skill.json": pack("b"), "b/run.sh*": "#!/bin/sh\n" },
  });
  const fragile = (): FolderReader => {
    const whole = readFoldersHere();
    let hasEnded = false;
    return {
      ...whole,
      read: async (job) => {
        hasEnded ||= job.folder.path.endsWith("/a");
        if (hasEnded) throw new Error("The process that reads skills has ended.");
        return whole.read(job);
      },
    };
  };
  const { items, problems } = await scanSkills([{ kind: "directory", path: root }], fragile);
  expect(items.map(({ path }) => path)).toEqual([`${root}/b`]);
  expect(problems).toEqual([
    { path: `${root}/a`, message: `${root}/a cannot be read: The process that reads skills has ended.` },
  ]);
});

it("does not register an entry ../../../bin/sh", async () => {
  const root = makeRoot({ "a/skill.json": pack("a", { entry: "../../../../../../../bin/sh" }) });
  const { items, texts } = await scan(root);
  expect(items).toEqual([]);
  expect(texts[0]).toBe(`skill loader: build "a": entry /bin/sh escapes allowlist root ${root}`);
});

it("does not register an absolute entry outside of the root", async () => {
  const outside = join(makeRoot({ "escape.sh*": "#!/bin/sh\n" }), "escape.sh");
  const root = makeRoot({ "a/skill.json": pack("bad_path", { entry: outside }) });
  const { items, texts, problems } = await scan(root);
  const text = `build "bad_path": entry ${outside} escapes allowlist root ${root}`;
  expect([items, texts[0]]).toEqual([[], `skill loader: ${text}`]);
  expect(problems).toEqual([{ path: `${root}/a/skill.json`, message: text }]);
});

it("does not register an entry that is a link out of the root", async () => {
  const root = makeRoot({ "a/skill.json": pack("a") });
  symlinkSync("/bin/sh", join(root, "a/run.sh"));
  const { items, texts } = await scan(root);
  expect([items, texts[0]]).toEqual([
    [],
    `skill loader: build "a": entry ${root}/a/run.sh escapes allowlist root ${root}`,
  ]);
});

it("takes an absolute entry inside the root, and its bytes are part of the skill", async () => {
  const root = makeRoot({ "bin/shared.sh*": "#!/bin/sh\n" });
  makeRoot(
    { "a/skill.json": pack("a", { entry: `${root}/bin/shared.sh` }), "b/skill.json": pack("b"), "b/run.sh*": "" },
    root,
  );
  const { items } = await scan(root);
  expect(items.map(({ files }) => files.map(({ path }) => path))).toEqual([
    ["bin/shared.sh", "skill.json"],
    ["run.sh", "skill.json"],
  ]);
});

it("takes an absolute entry inside its own folder as that file", async () => {
  const root = makeRoot({ "a/run.sh*": "#!/bin/sh\n" });
  makeRoot({ "a/skill.json": pack("a", { entry: `${root}/a/run.sh` }) }, root);
  expect((await scan(root)).items[0]?.files.map(({ path }) => path)).toEqual(["run.sh", "skill.json"]);
});

it("refuses an absolute entry that could be two files of its folder", async () => {
  const root = makeRoot({ "a/run.sh*": "#!/bin/sh\n", "a/a/run.sh*": "#!/bin/sh\necho other\n" });
  makeRoot({ "a/skill.json": pack("a", { entry: `${root}/a/run.sh` }) }, root);
  expect((await scan(root)).texts[0]).toBe('skill loader: build "a": entry run.sh cannot be told from a/run.sh');
});

it("counts 0 for a directory that does not exist, is no directory, or is not absolute", async () => {
  const root = makeRoot({ file: "" });
  const { items, texts } = await scan(`${root}/missing`, "skills", `${root}/file`);
  expect(items).toEqual([]);
  expect(texts).toEqual([
    `skill loader: skipping ${root}/missing: it does not exist`,
    "skill loader: skipping skills: not an absolute path",
    `skill loader: skipping ${root}/file: not a directory`,
    "skill loader: registered 0 skills from 3 directories in total",
  ]);
});

it.each([
  [
    "a name that is not lower_snake",
    pack("Bad-Name"),
    /parse .*\/a\/skill\.json: The name "Bad-Name" may contain only/,
  ],
  ["no description", { name: "a", entry: "run.sh" }, /parse .*skill\.json: "description" is required/],
  ["JSON that is none", '{"name": "a",,}', /parse .*skill\.json: The file is not valid JSON/],
  ["a class that is unknown", pack("a", { class: "harmless" }), /parse .*skill\.json: The class "harmless"/],
  ["an entry that is missing", pack("a", { entry: "gone.sh" }), /build "a": The entry "gone\.sh" is not among/],
  ["an entry without the executable bit", pack("a", { entry: "plain.sh" }), /build "a": .* is not executable/],
])("a pack with %s is a line, and does not keep its neighbours away", async (_what, manifest, line) => {
  const root = makeRoot({
    ...{ "a/skill.json": manifest, "a/run.sh*": "", "a/plain.sh": "" },
    ...{ "b/skill.json": pack("b"), "b/run.sh*": "" },
  });
  const { paths, texts } = await scan(root);
  expect(paths).toEqual([`${root}/b`]);
  expect(texts[0]).toMatch(line);
});

it("takes the first of two skills with one name, in the order of the directories", async () => {
  const files = { "x/skill.json": pack("twin"), "x/run.sh*": "" };
  const [first, second] = [makeRoot(files), makeRoot(files)];
  const { paths, texts } = await scan(second, first);
  expect(paths).toEqual([`${second}/x`]);
  expect(texts[1]).toBe(`skill loader: skill "twin" already registered, skipping ${first}/x/skill.json`);
});

it("finds SKILL.md and skill.toml too, and a skill inside another is one of its own", async () => {
  const md = "---\nname: notes\ndescription: d\n---\n# Notes\n";
  const root = makeRoot({
    ...{ "notes/SKILL.md": md, "notes/scripts/a.sh*": "", "notes/inner/SKILL.md": md.replace("notes", "inner") },
    "flow/skill.toml": '[skill]\nname = "flow"\ndescription = "d"\n[[skill.steps]]\ntool_name = "t"\n',
  });
  const { items, texts } = await scan(root);
  expect(items.map(({ path, files }) => [path.slice(root.length), files.map((file) => file.path)])).toEqual([
    ["/flow", ["skill.toml"]],
    ["/notes", ["SKILL.md", "scripts/a.sh"]],
    ["/notes/inner", ["SKILL.md"]],
  ]);
  expect(texts.slice(0, 2)).toEqual([
    `skill loader: registered pipeline "flow" from ${root}/flow/skill.toml`,
    `skill loader: registered skill "notes" from ${root}/notes/SKILL.md`,
  ]);
});

it("does not follow links to folders, and refuses one that leads out of the root", async () => {
  const elsewhere = makeRoot({ "x/skill.json": pack("x"), "x/run.sh*": "" });
  const root = makeRoot({ "a/skill.json": pack("a"), "a/run.sh*": "" });
  symlinkSync(join(elsewhere, "x"), join(root, "x"));
  symlinkSync(join(root, "a"), join(root, "again"));
  const { paths, texts } = await scan(root);
  expect(paths).toEqual([`${root}/a`]);
  expect(texts[0]).toBe(`skill loader: ${root}/x escapes allowlist root ${root}`);
});

it("takes a root that is a link itself, and a link inside the root as the file it leads to", async () => {
  const real = makeRoot({ "a/skill.json": pack("a"), "a/run.sh*": "#!/bin/sh\n", "lib.sh": "x" });
  symlinkSync("../lib.sh", join(real, "a/lib.sh"));
  const root = join(makeWorkDir(), "skills");
  symlinkSync(real, root);
  const { items } = await scan(root);
  expect(items[0]?.path).toBe(`${root}/a`);
  expect(items[0]?.files.map(({ path }) => path)).toEqual(["lib.sh", "run.sh", "skill.json"]);
});

it("says of a pack that it does not declare its class", async () => {
  const root = makeRoot({ "a/skill.json": pack("a", { class: undefined }), "a/run.sh*": "" });
  expect((await scan(root)).texts).toContain('skill loader: skill "a" does not declare its class');
});

it("reads a folder again when a file in it changes, and an entry that lies elsewhere too", async () => {
  const root = makeRoot({ "bin/shared.sh*": "#!/bin/sh\n" });
  makeRoot({ "a/skill.json": pack("a", { entry: `${root}/bin/shared.sh` }) }, root);
  const cache = new Map();
  const look = async () => {
    const found = await scanSkills([{ kind: "directory", path: root }], readFoldersHere, cache);
    return JSON.stringify(found.items);
  };
  const before = await look();
  expect(await look()).toBe(before);
  makeRoot({ "bin/shared.sh*": "#!/bin/sh\necho changed\n" }, root);
  const after = await look();
  expect(after).not.toBe(before);
  rmSync(join(root, "a"), { recursive: true });
  expect([await look(), cache.size]).toEqual(["[]", 0]);
});

it.each([
  ["/a:/b", ["/a", "/b"]],
  ["/a,/b;/c", ["/a", "/b", "/c"]],
  [" /a : /b ,, /a", ["/a", "/b"]],
  ["C:\\skills;D:\\more", ["C:\\skills", "D:\\more"]],
  ["C:\\skills:D:\\more", ["C:\\skills", "D:\\more"]],
  ["", []],
  [undefined, []],
])("splits %j at colons, commas and semicolons, in order", (text, dirs) => {
  expect(splitSkillDirs(text)).toEqual(dirs);
});

it("takes a skill.json that is not a pack's for a file of the skill that it lies in", async () => {
  const md = "---\nname: notes\ndescription: Keeps notes.\n---\n# Notes\n";
  const root = makeRoot({
    ...{ "notes/SKILL.md": md, "notes/skill.json": { name: "notes-app", entry: "/elsewhere/app" } },
    ...{ "notes/assets/skill.json": { name: "theme" }, "alone/skill.json": { name: "alone" } },
  });
  const { items, texts, problems } = await scan(root);
  expect(items.map(({ files }) => files.map(({ path }) => path))).toEqual([
    ["SKILL.md", "assets/skill.json", "skill.json"],
  ]);
  expect(texts).toContain(`skill loader: registered skill "notes" from ${root}/notes/SKILL.md`);
  expect(problems).toMatchObject([{ path: `${root}/alone/skill.json` }]);
});
