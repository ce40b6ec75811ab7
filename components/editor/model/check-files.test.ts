import { describe, expect, it } from "vitest";
import { checkFiles } from "./check-files";
import type { EditorFile } from "./editor-file";
import { playbookText, TEMPLATES, templateFiles } from "./templates";

const text = (path: string, content: string): EditorFile => ({
  path,
  mode: "644",
  content: { kind: "text", text: content },
});
const good = playbookText({
  name: "tidy-notes",
  description: "Tidies notes. Use it after a meeting.",
  body: "# Tidy\n",
});
const skill = { name: "tidy-notes", slug: "tidy-notes" };
const codes = (files: EditorFile[], of: typeof skill | null = skill) =>
  checkFiles(files, of).diagnostics.map(({ severity, code, path, line }) => [severity, code, path, line]);

describe("checkFiles", () => {
  it("has nothing to say of a good playbook", () => {
    expect(codes([text("SKILL.md", good)])).toEqual([]);
  });

  it("names the line of a field that strict loaders refuse, and of one that could be better", () => {
    const loose = "---\nname: Tidy Notes\ndescription: Tidies the notes of a meeting.\nmodel: x\n---\n\n# Tidy\n";
    expect(codes([text("SKILL.md", loose)])).toEqual(
      expect.arrayContaining([
        ["warning", "strict_name_case", "SKILL.md", 2],
        ["warning", "strict_unexpected_fields", "SKILL.md", 4],
        ["info", "quality_description_trigger", "SKILL.md", 3],
      ]),
    );
  });

  it.each<[string, EditorFile[], string, string]>([
    ["a path that leaves the folder", [text("SKILL.md", good), text("../x", "")], "path_refused", "../x"],
    ["paths that differ only in case", [text("SKILL.md", good), text("a", ""), text("A", "")], "path_refused", "a"],
    [
      "a file over the limit",
      [text("SKILL.md", good), { path: "big", mode: "644", content: { kind: "bytes", base64: "", size: 6_000_000 } }],
      "file_too_large",
      "big",
    ],
  ])("puts %s first, as an error at that file", (_what, files, code, path) => {
    expect(checkFiles(files, skill).diagnostics[0]).toMatchObject({ severity: "error", code, path });
  });

  it("keeps the name of a skill, and asks for one where there is none", () => {
    expect(codes([text("SKILL.md", good)], { name: "other", slug: "other" })[0]?.[1]).toBe("name_changed");
    for (const { name } of TEMPLATES) {
      const found = checkFiles(templateFiles(name), null).diagnostics.filter(({ severity }) => severity === "error");
      expect(found.length, name).toBeGreaterThan(0);
    }
  });

  it("does not take bytes that are not here for a script without its bit", () => {
    const content = { kind: "stored", sha256: "h", size: 9, isText: false } as const;
    expect(codes([text("SKILL.md", good), { path: "x.bin", mode: "644", content }])).toEqual([]);
  });
});
