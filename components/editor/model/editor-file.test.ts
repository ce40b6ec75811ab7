import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffFiles, rebaseFiles } from "@/components/editor/conflict-panel";
import type { BaseFile } from "@/lib/client/editing";
import { type EditorFile, fromBase, isChanged } from "./editor-file";

type Texts = Record<string, string>;

const stored = (texts: Texts): BaseFile[] =>
  Object.entries(texts).map(([path, text]) => ({
    path,
    mode: "644",
    sha256: `hash of ${text}`,
    size: text.length,
    isText: true,
    text,
  }));
const edited = (texts: Texts): EditorFile[] => stored(texts).map(fromBase);
const textsOf = (files: EditorFile[]): Texts =>
  Object.fromEntries(files.map(({ path, content }) => [path, content.kind === "text" ? content.text : ""]));

describe("rebaseFiles", () => {
  it.each<[string, Texts, Texts, Texts, Texts, string[]]>([
    ["takes theirs where I changed nothing", { a: "1" }, { a: "1" }, { a: "2", b: "3" }, { a: "2", b: "3" }, []],
    ["keeps mine where they changed nothing", { a: "1", b: "1" }, { a: "2" }, { a: "1", b: "1" }, { a: "2" }, []],
    [
      "joins changes of different files",
      { a: "1", b: "1" },
      { a: "2", b: "1" },
      { a: "1", b: "2" },
      { a: "2", b: "2" },
      [],
    ],
    ["keeps mine of a file that both changed, and names it", { a: "1" }, { a: "2" }, { a: "3" }, { a: "2" }, ["a"]],
    [
      "names a file that I removed and they changed",
      { a: "1", b: "1" },
      { b: "1" },
      { a: "2", b: "1" },
      { b: "1" },
      ["a"],
    ],
    [
      "names a file that they removed and I changed",
      { a: "1", b: "1" },
      { a: "2", b: "1" },
      { b: "1" },
      { b: "1", a: "2" },
      ["a"],
    ],
    ["has no quarrel when both did the same", { a: "1" }, { a: "2" }, { a: "2" }, { a: "2" }, []],
  ])("%s", (_what, base, mine, theirs, expected, both) => {
    const result = rebaseFiles(stored(base), edited(mine), stored(theirs));
    expect(textsOf(result.files)).toEqual(expected);
    expect(result.both).toEqual(both);
  });

  it("loses nothing of mine, and nothing of theirs without saying so", () => {
    const texts = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom("1", "2", "3"));
    fc.assert(
      fc.property(texts, texts, texts, (base, mine, theirs) => {
        const { files, both } = rebaseFiles(stored(base), edited(mine), stored(theirs));
        const result = textsOf(files);
        for (const path of ["a", "b", "c"]) {
          const didIChange = mine[path] !== base[path];
          const didTheyChange = theirs[path] !== base[path];
          if (didIChange) expect(result[path]).toBe(mine[path]);
          else expect(result[path]).toBe(theirs[path]);
          expect(both.includes(path)).toBe(didIChange && didTheyChange && mine[path] !== theirs[path]);
        }
      }),
    );
  });
});

describe("what an edit changes", () => {
  it("is told file by file, with the executable bit", () => {
    const base = stored({ a: "1\n", b: "same\n", c: "gone\n" });
    const [first, second] = edited({ a: "2\n", b: "same\n" });
    const files: EditorFile[] = [first, { ...second, mode: "755" }, ...edited({ d: "new\n" })] as EditorFile[];
    expect(isChanged(files, base)).toBe(true);
    expect(isChanged(base.map(fromBase), base)).toBe(false);
    expect(diffFiles(base, files)).toMatchObject([
      { path: "a", change: "changed", hunks: [{ lines: ["-1", "+2"] }] },
      { path: "b", change: "changed", modeBefore: "644", modeAfter: "755", hunks: [] },
      { path: "c", change: "removed", hunks: [{ lines: ["-gone"] }] },
      { path: "d", change: "added", hunks: [{ lines: ["+new"] }] },
    ]);
  });
});
