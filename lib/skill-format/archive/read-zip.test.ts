import { describe, expect, it } from "vitest";
import { buildZip, type ZipEntry } from "@/lib/skill-format/testing/build-zip";
import { readArchive } from "./read-archive";

const read = (entries: ZipEntry[], faults?: { comment: string }) =>
  readArchive({ bytes: buildZip(entries, faults), filename: "a.zip" });
const skill = { name: "SKILL.md", data: "# Hello" };
const LINK = 0o120777;

describe("a plain ZIP", () => {
  it("keeps only the executable bit of the mode", async () => {
    const { files } = await read([
      { name: "a", mode: 0o100600 },
      { name: "b", mode: 0o100711 },
      { name: "c", mode: 0 },
    ]);
    expect(files.map((file) => file.mode)).toEqual(["644", "755", "644"]);
  });

  it("may have folders, a comment, data descriptors and names without the UTF-8 flag", async () => {
    const { files } = await read(
      [
        { name: "a/", mode: 0o040755, method: 0, dosAttributes: 0x10 },
        { name: "a/é.md", flags: 0, data: "1" },
        { name: "a/b.md", descriptor: "signed", data: "2" },
        { name: "a/c.md", descriptor: "unsigned", data: "3", method: 0 },
      ],
      { comment: "0123456789abcdef" },
    );
    expect(files.map((file) => file.path)).toEqual(["a/é.md", "a/b.md", "a/c.md"]);
  });

  it("may be empty", async () => {
    expect((await read([])).files).toEqual([]);
  });

  it("may contain a text that compresses very well", async () => {
    expect((await read([{ name: "a", data: "-".repeat(300_000) }])).files[0]?.bytes.length).toBe(300_000);
  });

  it("stores an archive inside the archive without opening it", async () => {
    const inner = buildZip([skill]);
    expect((await read([{ name: "inner.zip", data: inner }])).files[0]?.bytes).toEqual(inner);
  });
});

describe("links and submodules", () => {
  it("stores a link inside of the skill as a copy of its target, with the target's mode", async () => {
    const { files } = await read([
      { name: "s/SKILL.md", data: "x" },
      { name: "s/bin/run.sh", data: "#!", mode: 0o100755 },
      { name: "s/docs/run", data: "../bin/run.sh", mode: LINK },
    ]);
    expect(files[2]).toEqual({ path: "s/docs/run", mode: "755", bytes: new Uint8Array([0x23, 0x21]) });
  });

  it("follows links through other links and to folders, inside of the skill", async () => {
    const { files, diagnostics } = await read([
      { name: "s/SKILL.md", data: "x" },
      { name: "s/v2/a/run.sh", data: "#!", mode: 0o100755 },
      { name: "s/current", data: "v2", mode: LINK },
      { name: "s/run", data: "./current/a/run.sh", mode: LINK },
    ]);
    expect(diagnostics).toEqual([]);
    expect(files.slice(2).map(({ path, mode }) => [path, mode])).toEqual([
      ["s/current/a/run.sh", "755"],
      ["s/run", "755"],
    ]);
  });

  it.each<[string, ZipEntry[], string]>([
    ["an absolute path", [{ name: "s/a", data: "/etc/passwd", mode: LINK }], "outside the archive"],
    ["a path out of the archive", [{ name: "s/a", data: "../../x", mode: LINK }], "outside the archive"],
    ["nothing", [{ name: "s/a", data: "missing", mode: LINK }], "not in the archive"],
    ["an empty target", [{ name: "s/a", data: "", mode: LINK }], "a folder that contains it"],
    ["its own folder", [{ name: "s/d/a", data: "..", mode: LINK }], "a folder that contains it"],
    ["itself", [{ name: "s/a", data: "a", mode: LINK }], "leads back to it"],
    [
      "a circle of links",
      [
        { name: "s/a", data: "b/x", mode: LINK },
        { name: "s/b", data: "a", mode: LINK },
      ],
      "leads back to it",
    ],
    ["a backslash path", [{ name: "s/f" }, { name: "s/a", data: ".\\f", mode: LINK }], "outside the archive"],
    ["a long text", [{ name: "s/a", data: "x".repeat(2000), mode: LINK }], "more than 1024 bytes"],
    ["bytes that are no text", [{ name: "s/a", data: new Uint8Array([0xff]), mode: LINK }], "not UTF-8"],
    [
      "another skill",
      [{ name: "t/SKILL.md" }, { name: "s/a", data: "../t/SKILL.md", mode: LINK }],
      "outside the skill",
    ],
    [
      "another skill's folder",
      [{ name: "t/SKILL.md" }, { name: "s/a", data: "../t", mode: LINK }],
      "outside the skill",
    ],
    ["a file outside of its skill", [{ name: "x" }, { name: "s/a", data: "../x", mode: LINK }], "outside the skill"],
    [
      "a folder whose copies would be too deep",
      [{ name: "s/1/2/3/4/5/6/7/f" }, { name: "s/b/c/d/a", data: "../../../1", mode: LINK }],
      "too deep",
    ],
  ])("leaves out a link to %s, with a diagnostic, and reads the rest", async (_name, entries, reason) => {
    const { files, diagnostics } = await read([{ name: "s/SKILL.md", data: "x" }, ...entries]);
    const plain = entries.filter((entry) => entry.mode !== LINK).map((entry) => entry.name);
    expect(files.map((file) => file.path)).toEqual(["s/SKILL.md", ...plain]);
    const links = entries.filter((entry) => entry.mode === LINK);
    expect(diagnostics).toEqual(
      links.map(({ name }) => ({
        ...{ code: "link_refused", severity: "warning", path: name },
        message: expect.stringContaining(reason),
      })),
    );
  });

  it("leaves out a folder link to a skill, which is read in its own folder", async () => {
    const { files, diagnostics } = await read([{ name: "s/SKILL.md" }, { name: "b", data: "s", mode: LINK }]);
    expect(files.map((file) => file.path)).toEqual(["s/SKILL.md"]);
    expect(diagnostics).toMatchObject([
      { code: "link_refused", severity: "info", path: "b", message: expect.stringContaining("in its own folder") },
    ]);
  });

  it("leaves out a SKILL.md link out of its folder, which is then no skill", async () => {
    const { files, diagnostics } = await read([{ name: "x.md" }, { name: "s/SKILL.md", data: "../x.md", mode: LINK }]);
    expect(files.map((file) => file.path)).toEqual(["x.md"]);
    expect(diagnostics).toMatchObject([{ code: "link_refused", severity: "warning", path: "s/SKILL.md" }]);
  });

  it("reports links outside of skills as info, and at most a hundred links", async () => {
    const links = Array.from({ length: 130 }, (_, index) => ({ name: `l${index}`, data: "s", mode: LINK }));
    const { diagnostics } = await read([{ name: "s/SKILL.md" }, ...links]);
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics[0]).toMatchObject({ code: "link_refused", severity: "info", path: "l0" });
    expect(diagnostics.at(-1)?.message).toBe("30 more links were left out.");
  });

  it("leaves out a submodule", async () => {
    const { files, diagnostics } = await read([skill, { name: "lib", mode: 0o160000 }]);
    expect(files.map((file) => file.path)).toEqual(["SKILL.md"]);
    expect(diagnostics).toMatchObject([{ code: "submodule_left_out", severity: "warning", path: "lib" }]);
  });
});
