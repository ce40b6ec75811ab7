import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { parseFrontmatter } from "./parse-frontmatter";

const parse = (text: string) => parseFrontmatter(text, "SKILL.md");
const fenced = (block: string) => parse(`---\n${block}\n---\nbody\n`);
const codes = (text: string) => parse(text).diagnostics.map((item) => item.code);

declare global {
  var PWNED: number | undefined;
}

afterEach(() => {
  expect(globalThis.PWNED).toBeUndefined();
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

describe("frontmatter in another language", () => {
  const languages = "js JS javascript JavaScript json coffee toml toString constructor hasOwnProperty __proto__ yaml";
  it.each(languages.split(" ").flatMap((name) => [`---${name}`, `--- ${name} `]))("is never evaluated: %s", (fence) => {
    for (const end of ["\n", "\r\n"]) {
      const text = [fence, "(globalThis.PWNED=1,{})", "---", "body"].join(end);
      expect(codes(text)).toEqual(["fence_invalid"]);
      expect(parse(text)).toMatchObject({ mapping: null, body: text, diagnostics: [{ severity: "error", line: 1 }] });
    }
  });

  it("is not evaluated as the body either", () => {
    const { mapping, body } = parse("---\nname: a\n---\n---js\n(globalThis.PWNED=1,{})\n---\n");
    expect(mapping?.values).toEqual({ name: "a" });
    expect(body).toBe("---js\n(globalThis.PWNED=1,{})\n---\n");
  });
});

describe("frontmatter that is not a plain mapping", () => {
  it.each(["just text", "- 1", "~", "42", "[a]", '"x"', "!!js/function 'x'"])("is reported: %s", (block) => {
    expect(fenced(block)).toMatchObject({ mapping: null, body: "body\n" });
    expect(fenced(block).diagnostics).toMatchObject([{ code: "yaml_invalid", severity: "warning" }]);
  });

  it("may be empty or only comments", () => {
    expect(fenced("").mapping?.values).toEqual({});
    expect(fenced("# nothing here").mapping?.values).toEqual({});
  });
});

describe("broken YAML", () => {
  it("gives the same diagnostics each time, and results are not shared", () => {
    const broken = "---\nname: [a\n---\nbody";
    expect(parse(broken)).toEqual(parse(broken));
    expect(codes(broken)).toEqual(["yaml_invalid", "repaired_value"]);
    const first = fenced("metadata: {a: 1}");
    Object.assign(first.mapping?.values ?? {}, { metadata: "changed" });
    expect(fenced("metadata: {a: 1}").mapping?.values).toEqual({ metadata: { a: 1 } });
  });

  it("is reported with its line in the file", () => {
    expect(fenced("name: a\nb: [1, 2\nc: 3").diagnostics[0]).toMatchObject({ code: "yaml_invalid", line: 4 });
    expect(fenced("name: a\nb: 1\nname: b").diagnostics[0]).toMatchObject({ code: "yaml_invalid", line: 4 });
  });

  it("is repaired only when a plain value has a colon", () => {
    const { mapping, diagnostics } = fenced("name: a\ndescription: Make it work: it's easy\nversion: 1.10");
    expect(mapping?.values).toEqual({ name: "a", description: "Make it work: it's easy", version: "1.10" });
    expect(diagnostics.map((item) => item.code)).toEqual(["yaml_invalid", "repaired_unquoted_colon"]);
    expect(fenced('description: "Make it: work"').diagnostics).toEqual([]);
  });

  it("is not read past a line that only begins like a fence", () => {
    const { mapping, body, diagnostics } = fenced("name: a\n---# Title\nb: c");
    expect(mapping?.values).toEqual({ name: "a" });
    expect(body).toBe("# Title\nb: c\n---\nbody\n");
    expect(diagnostics).toMatchObject([
      { code: "yaml_invalid", line: 3 },
      { code: "repaired_closing", line: 3 },
    ]);
  });
});

describe("hostile YAML", () => {
  const bomb = (levels: number) => [
    "a0: &a0 [x]",
    ...Array.from({ length: levels }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`),
  ];
  it.each<[string, string, string]>([
    ["an alias bomb of 7 levels", bomb(7).join("\n"), "yaml_invalid"],
    ["an alias bomb of 10 levels", bomb(10).join("\n"), "yaml_invalid"],
    ["a circle", "a: &a {b: *a}", "yaml_invalid"],
    ["an alias as a key", "a: &a x\n*a : y", "yaml_invalid"],
    ["2,000 brackets", `a: ${"[".repeat(2_000)}`, "yaml_invalid"],
    ["2,000 closed brackets", `a: ${"[".repeat(2_000)}${"]".repeat(2_000)}`, "yaml_invalid"],
    ["nested repeated keys", "a: {b: 1, b: 2}", "yaml_invalid"],
    ["a second document", "a: 1\n...\nb: 2", "yaml_invalid"],
    ["20,000 anchors", `a: ${"&a ".repeat(20_000)}`, "yaml_invalid"],
  ])("is never expanded: %s", (_name, block, code) => {
    const { mapping, diagnostics } = fenced(block);
    expect(JSON.stringify(mapping?.values ?? {}).length).toBeLessThanOrEqual(2 * block.length + 100);
    expect(diagnostics[0]).toMatchObject({ code, severity: "warning" });
  });

  it.each<[string, string]>([
    ["100,000 brackets", `a: ${"[".repeat(100_000)}`],
    ["9 levels", "a: {a: {a: {a: {a: {a: {a: {a: {a: 1}}}}}}}}"],
    ["1 MB", `a: ${"x".repeat(1_000_000)}`],
    ["201 keys", Array.from({ length: 201 }, (_, i) => `k${i}: 1`).join("\n")],
    ["16,000 keys on a line", `{${Array.from({ length: 10_000 }, (_, i) => `k${i}`).join(",")}}`],
    ["60,000 blank lines", "\n".repeat(60_000)],
  ])("is refused: %s", (_name, block) => {
    const { mapping, diagnostics } = fenced(block);
    expect(mapping).toBeNull();
    expect(diagnostics.map((item) => item.code)).toEqual(["frontmatter_too_large"]);
  });

  it("does not merge", () => {
    const { mapping } = fenced("<<: {isAdmin: true}\nb: 1");
    expect(mapping?.values).toEqual({ "<<": { isAdmin: true }, b: 1 });
  });

  it("drops keys that reach a prototype, at any depth, with a diagnostic", () => {
    const { mapping, diagnostics } = fenced(
      "__proto__: {isAdmin: true}\nconstructor: x\nmetadata:\n  prototype: y\n  list: [{__proto__: {isAdmin: true}}]",
    );
    expect(mapping?.values).toEqual({ metadata: { list: [{}] } });
    expect(Object.assign({}, mapping?.values)).not.toHaveProperty("isAdmin");
    expect(diagnostics.map((item) => item.code)).toEqual(Array(4).fill("key_dropped"));
  });

  it("cannot reach gray-matter's own options", () => {
    expect(fenced("excerpt_separator: {a: 1}\nlanguage: js\nengines: {}").mapping?.values).toEqual({
      excerpt_separator: { a: 1 },
      language: "js",
      engines: {},
    });
  });
});

describe("scalars", () => {
  it("keep their type, or their text when a number would not print as written", () => {
    const block =
      "a: 2024-01-02\nb: yes\nc: true\nd: 0x1F\ne: .nan\nf: 1.10\ng: 12\nh: 0o17\ni: 1e3\nj: ~\nk: '1.10'\nl:";
    expect(fenced(block).mapping?.values).toEqual({
      ...{ a: "2024-01-02", b: "yes", c: true, d: "0x1F", e: ".nan", f: "1.10", g: 12, h: "0o17", i: "1e3" },
      ...{ j: null, k: "1.10", l: null },
    });
  });

  it("have no NUL and no lone surrogate, which a database would refuse", () => {
    expect(fenced('a: "x\\0y"\nb: "\\ud800"').mapping?.values).toEqual({ a: "x\ufffdy", b: "\ufffd" });
  });
});

it("never throws, and its values are always plain JSON", () => {
  const piece = fc.constantFrom(
    ..."---|a: |b:\n  - |[|]|{|}|&a |*a|!!x |'|\"|\n|#|%YAML 1.1|...|__proto__|: |? |> |\\|\t|é|\u2028|1.0".split("|"),
    "|",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
      const { mapping } = fenced(pieces.join(""));
      if (mapping !== null) expect(JSON.parse(JSON.stringify(mapping.values))).toEqual(mapping.values);
    }),
    { numRuns: 500 },
  );
});
