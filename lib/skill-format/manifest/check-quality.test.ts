import { describe, expect, it } from "vitest";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { checkQuality } from "./check-quality";
import { readSkill } from "./read-skill";

const D = "Looks up tide tables. Use when somebody asks for high water.";
const check = (
  { name = "tide-tables", description = D, body = "# Tides\n" },
  more: Record<string, string | Uint8Array> = {},
) => {
  const text = `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n---\n${body}`;
  const files = skillFiles({ "SKILL.md": text, ...more });
  return checkQuality(files, readSkill(files, { folder: "tide-tables" }).manifest);
};
const codes = (...args: Parameters<typeof check>) => check(...args).map((item) => item.code);

it("has no advice for a good skill", () => {
  expect(
    check(
      { body: 'See [the ports](references/ports.md#north) and ![map](map.png "Map").\n' },
      {
        ...{ "references/ports.md": "x", "map.png": "x", "scripts/run.sh*": "#!/bin/sh\n" },
      },
    ),
  ).toEqual([]);
});

it.each<[string, string, string[]]>([
  ["short", "Use it.", ["quality_description_short"]],
  ["long", `Use when ${"x".repeat(1_100)}`, ["quality_description_long"]],
  ["without a trigger", "Extracts the tables of all ports from the sea.", ["quality_description_trigger"]],
  ["in the first person", "I look up tide tables when you ask me to.", ["quality_description_person"]],
  ["with a tag", "Looks up <b>tides</b>. Use when asked for water.", ["quality_description_tag"]],
  ["in another script", "查询潮汐表，查询每个港口的高潮和低潮时间，还可以比较它们。", []],
])("advises on a description that is %s", (_name, description, expected) => {
  expect(codes({ description })).toEqual(expected);
});

it.each([
  ["Tide Tables", ["quality_name_refused"]],
  ["tide_tables", ["quality_name_refused"]],
  ["tide--tables", ["quality_name_refused"]],
  ["t".repeat(65), ["quality_name_long"]],
  ["claude-tides", ["quality_name_reserved"]],
])("advises on the name %s", (name, expected) => {
  expect(codes({ name })).toEqual(expected);
});

describe("links", () => {
  it.each([
    ["[a](references/none.md)", "quality_link_broken"],
    ["[a](../other/SKILL.md)", "quality_link_outside"],
    ["[a](references/../../x.md)", "quality_link_outside"],
    ["[a](/etc/hosts.md)", "quality_link_outside"],
    ["[a]: ./none.md", "quality_link_broken"],
    ["![a](NONE.png)", "quality_link_broken"],
    ["[a](Ports.md)", "quality_link_broken"],
  ])("are reported with their line: %s", (link, code) => {
    expect(check({ body: `# Tides\n\n${link}\n` }, { "ports.md": "x" })).toMatchObject([
      { code, line: 7, severity: "info" },
    ]);
  });

  it.each([
    ...["[a](https://example.com/x.md)", "[a](#part)", "[a](mailto:a@example.com)", "[a]({baseDir}/x.md)"],
    ...[
      "[a](<path>)",
      "`[a](none.md)`",
      "```\n[a](none.md)\n```",
      "[a](ports%2Emd)",
      "[a](ports.md?x#y)",
      "[a](folder/)",
    ],
  ])("are ignored: %s", (link) => {
    expect(check({ body: `${link}\n` }, { "ports.md": "x", "folder/x.md": "x" })).toEqual([]);
  });

  it("are reported up to a limit", () => {
    expect(codes({ body: "[a](none.md)\n".repeat(400) })).toHaveLength(21);
  });

  it("need linear time in long lines of brackets", () => {
    expect(codes({ body: "[".repeat(200_000) })).toEqual(["quality_file_large"]);
    expect(codes({ body: "](".repeat(200_000) })).toEqual(["quality_file_large"]);
  });
});

it("advises on long playbooks, empty ones, and scripts without their executable bit", () => {
  expect(codes({ body: "x\n".repeat(501) })).toEqual(["quality_body_long"]);
  expect(codes({ body: "" })).toEqual(["quality_body_empty"]);
  expect(codes({ body: "x".repeat(70_000) })).toEqual(["quality_file_large"]);
  expect(check({}, { "run.py": "#!/usr/bin/env python3\n" })).toMatchObject([
    { code: "quality_not_executable", path: "run.py" },
  ]);
});

it("does not advise packs on names, which are tool names", () => {
  const json = JSON.stringify({ name: "tide_tables", description: D, entry: "run", class: "safe" });
  const files = skillFiles({ "skill.json": json, "run*": "#!/bin/sh\n" });
  expect(checkQuality(files, readSkill(files, { folder: "x" }).manifest)).toEqual([]);
});
