import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/core/errors";
import { assertUniquePaths, safePath } from "./archive-entry";

const rejection = expect.objectContaining({ code: "archive_rejected" });

describe("safePath", () => {
  it.each([
    "SKILL.md",
    "..foo",
    "scripts/run me (v2).sh",
    "references/[...slug]/C++ & C#, it's=ok~!@+.md",
    "docs/données/説明：使用.md".replace("：", "-"),
    "a/b/c/d/e/f/g/h/i/j",
    ".hidden/-dash",
    "हिन्दी.md",
  ])("accepts %s as it is", (path) => {
    expect(safePath(path)).toBe(path);
  });

  it("gives the composed form of a decomposed name", () => {
    expect(safePath("e\u0301.md")).toBe("\u00e9.md");
  });

  it.each([
    ["", "empty"],
    ["/etc/passwd", "absolute"],
    ["//srv/x", "absolute"],
    ["../../etc/passwd", '".."'],
    ["a/../../b", '".."'],
    ["x/../SKILL.md", '".."'],
    ["./SKILL.md", '"."'],
    ["SKILL.md/", "empty segment"],
    ["a//b", "empty segment"],
    ["..\\..\\win.ini", "backslash"],
    ["C:\\x", "backslash"],
    ["C:/x", "drive letter"],
    ["c:x", "drive letter"],
    ["a\0b", "control"],
    ["a\nb", "control"],
    ["a\u202eb", "invisible"],
    ["a\u200bb", "invisible"],
    ["a\u{e0041}b", "invisible"],
    ["a\u3164b", "invisible"],
    ["a\ufe0fb", "invisible"],
    ["a\u00a0b", "invisible"],
    ["a\ufffdb", "invisible"],
    ["a\ud800b", "unassigned"],
    ["a.", "dot or a space"],
    ["a ", "dot or a space"],
    ["a /b", "dot or a space"],
    ["con.txt", "device"],
    ["x/NUL", "device"],
    ["COM1.tar.gz", "device"],
    ["lpt¹", "device"],
    ["con .txt", "device"],
    ["name:b", "one of"],
    ['a"b', "one of"],
    ["a?", "one of"],
    ["a|b<c>", "one of"],
    ["．．/x", "look-alike"],
    ["a／b", "look-alike"],
  ])("refuses %j and says why", (path, reason) => {
    const refuse = () => safePath(path);
    expect(refuse).toThrow(rejection);
    expect(refuse).toThrow(reason);
  });

  it("refuses a path that is too long or too deep", () => {
    expect(() => safePath("x".repeat(101))).toThrow("100 characters");
    expect(() => safePath("x".repeat(300))).toThrow("240 bytes");
    expect(() => safePath(Array(11).fill("a").join("/"))).toThrow("deeper than 10");
    expect(() => safePath(Array(5000).fill("a").join("/"))).toThrow("240 bytes");
  });

  it("names the refused path without its invisible characters", () => {
    expect(() => safePath("a\u202eb")).toThrow('"a\\u{202e}b"');
  });

  it("never accepts a path that leaves the folder or changes when it is checked again", () => {
    const segment = fc.oneof(
      fc.constantFrom("..", ".", "", "a", "CON", "SKILL.md", "é", "／"),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
        const path = acceptedOrNull(segments.join("/"));
        if (path === null) return;
        expect(safePath(path)).toBe(path);
        expect(path.split("/")).not.toContain("..");
        expect(path).not.toMatch(/^\/|\\|\0|^[a-z]:/i);
        expect(new URL(encodeURI(path).replaceAll("?", "%3f"), "file:///root/").pathname.startsWith("/root/")).toBe(
          true,
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe("assertUniquePaths", () => {
  it("accepts different paths", () => {
    expect(() => assertUniquePaths(["a/b", "a/c", "b"], ["a", "empty"])).not.toThrow();
  });

  it.each([
    [["a", "a"], "twice"],
    [["skill.md", "SKILL.md"], "letter case"],
    [["straße", "STRASSE"], "letter case"],
    [["\u212a", "k"], "letter case"],
    [["a", "a/b"], "both a file and a folder"],
    [["A/b/c", "a/B"], "both a file and a folder"],
  ])("refuses %j", (paths, reason) => {
    const refuse = () => assertUniquePaths(paths);
    expect(refuse).toThrow(rejection);
    expect(refuse).toThrow(reason);
  });

  it("refuses a file in place of an empty folder", () => {
    expect(() => assertUniquePaths(["a"], ["a"])).toThrow("both a file and a folder");
  });
});

function acceptedOrNull(path: string): string | null {
  try {
    return safePath(path);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return null;
  }
}
