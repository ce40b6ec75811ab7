import { expect, it } from "vitest";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { findCollisions, splitSkills } from "./split-skills";

const split = (...paths: string[]) => {
  const files = skillFiles(Object.fromEntries(paths.map((path) => [path, "x"])));
  const { skills, diagnostics } = splitSkills(files, { fallbackName: "upload" });
  return { skills: skills.map(({ folder, files: own }) => [folder, own.map((file) => file.path)]), diagnostics };
};

it("reads one folder as one skill, with any marker", () => {
  expect(split("a/SKILL.md", "a/x/y.md", "b/skill.json", "b/SKILL.md", "b/skill.toml", "c/Skill.MD").skills).toEqual([
    ["a", ["SKILL.md", "x/y.md"]],
    ["b", ["skill.json", "SKILL.md", "skill.toml"]],
    ["c", ["Skill.MD"]],
  ]);
});

it("names a skill at the root after the upload", () => {
  expect(split("SKILL.md", "scripts/run.sh").skills).toEqual([["upload", ["SKILL.md", "scripts/run.sh"]]]);
});

it("keeps nested skills apart from their parents", () => {
  expect(split("p/SKILL.md", "p/a.md", "p/sub/SKILL.md", "p/sub/b.md", "p/subx").skills).toEqual([
    ["p", ["SKILL.md", "a.md", "subx"]],
    ["sub", ["SKILL.md", "b.md"]],
  ]);
});

it("leaves other files out and counts them", () => {
  const { diagnostics } = split("README.md", "LICENSE", "skills/a/SKILL.md");
  expect(diagnostics).toEqual([
    { code: "outside_of_skills", severity: "info", message: "2 files belong to no skill and were left out." },
  ]);
});

it("refuses an upload without a skill", () => {
  expect(() => split("README.md", "a/SKILL.md.txt", "a/SKILL.JSON")).toThrow(
    expect.objectContaining({ code: "invalid" }),
  );
  expect(() => split()).toThrow("No skill was found");
});

it("refuses more than 500 files in a skill", () => {
  const paths = Array.from({ length: 500 }, (_, index) => `a/${index}`);
  expect(() => split("a/SKILL.md", ...paths)).toThrow(expect.objectContaining({ code: "too_large" }));
  expect(split("a/SKILL.md", ...paths.slice(1)).skills).toHaveLength(1);
});

it("reads a skill.json below a skill as a file, unless it is a pack's", () => {
  const files = skillFiles({
    "a/SKILL.md": "x",
    "a/assets/skill.json": '{"name":"other"}',
    "a/assets/logo.svg": "x",
    "a/pack/skill.json": '{"name":"p","description":"d","entry":"run.sh"}',
    "b/skill.json": "{}",
  });
  const { skills, diagnostics } = splitSkills(files, { fallbackName: "upload" });
  expect(skills.map(({ location, files: own }) => [location, own.map(({ path }) => path)])).toEqual([
    ["a", ["SKILL.md", "assets/skill.json", "assets/logo.svg"]],
    ["a/pack", ["skill.json"]],
    ["b", ["skill.json"]],
  ]);
  expect(diagnostics).toMatchObject([{ code: "skill_json_foreign", severity: "info", path: "a/assets/skill.json" }]);
});

const skill = (name: string, text = "x") => `---\nname: ${name}\ndescription: ${text}\n---\n`;
const collide = (contents: Record<string, string>) => {
  const { skills } = splitSkills(skillFiles(contents), { fallbackName: "repo" });
  return findCollisions(skills.map((item) => ({ ...item, manifest: readSkill(item.files, item).manifest })));
};

it("reports names that are equal after normalization, with their places", () => {
  expect(
    collide({ "a/SKILL.md": skill("tide-tables"), "x/b/SKILL.md": skill("Tide Tables"), "c/SKILL.md": skill("other") }),
  ).toEqual([
    {
      ...{ code: "names_collide", severity: "warning" },
      message: "Several skills have the name “tide-tables” and “Tide Tables”: a, x/b.",
    },
  ]);
});

it("reports byte-identical copies", () => {
  const copies = {
    "SKILL.md": skill("a"),
    ".claude/skills/a/SKILL.md": skill("a"),
    ".codex/skills/a/SKILL.md": skill("a"),
  };
  expect(collide(copies)).toMatchObject([{ code: "identical_copies", message: expect.stringContaining("3 times") }]);
  expect(collide({ ...copies, "b/SKILL.md": skill("a", "y") }).map((item) => item.code)).toEqual([
    "identical_copies",
    "names_collide",
  ]);
});

it("reports nothing for different names", () => {
  expect(collide({ "a/SKILL.md": skill("a"), "b/SKILL.md": skill("b") })).toEqual([]);
});
