import { expect, it } from "vitest";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { findCollisions, splitSkills } from "./split-skills";

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
