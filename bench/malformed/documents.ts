import type { Upload } from "./archives";

const head = (inside: string, body = "Do it.\n") => `---\n${inside}\n---\n\n${body}`;
const named = (inside: string) => head(`name: probe\ndescription: A probe.\n${inside}`);

/** SKILL.md files that attack the parser. */
export function hostileDocuments(): Upload[] {
  const bomb = [
    "a: &a [x, x, x, x, x, x, x, x, x]",
    ..."bcdefgh"
      .split("")
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[index]}`).join(", ")}]`),
  ];
  const texts: [family: string, text: string][] = [
    ...[
      "---js",
      "---JS",
      "--- js ",
      "---javascript",
      "---coffee",
      "---toString",
      "---__proto__",
      "---constructor",
      "---json",
    ].map((fence): [string, string] => [
      "another language",
      `${fence}\n{"name": "probe", "x": (globalThis.PWNED = 1)}\n---\n\nDo it.\n`,
    ]),
    ["a second block", `${head("name: probe\ndescription: d")}---js\nglobalThis.PWNED = 1\n---\n`],
    ["an alias bomb", head(bomb.join("\n"))],
    ["a circle", named("a: &a {b: *a}")],
    ["deep lists", named(`a: ${"[".repeat(20_000)}`)],
    ["deep maps", named(Array.from({ length: 1_000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"))],
    ["a prototype", named("__proto__: {isAdmin: true}\nconstructor: {prototype: {isAdmin: true}}")],
    ["a merge", named("<<: {__proto__: {isAdmin: true}}")],
    ["a key twice", named("name: other")],
    ["tags of code", named('a: !!js/function "function(){}"\nb: !!python/object/apply:os.system ["id"]')],
    ["an unknown tag", named("a: !<tag:x> y")],
    ["a directive", `%YAML 9.9\n${named("a: 1")}`],
    ["several documents", head("name: probe\n--- \nname: two\n...")],
    ["numbers", named("version: 0o777\ntags: [.inf, .nan, -.inf, 1e999, 0x7fffffffffffffffffff]")],
    ["times", named("version: 2026-13-45T99:99:99Z\nmetadata: {at: 9999999999999-01-01}")],
    ["only text", head("just text")],
    ["a list", head("- 1\n- 2")],
    ["nothing inside", "---\n---\n"],
    ["null", head("~")],
    ["no end", "---\nname: probe\ndescription: A probe.\n"],
    ["only a mark", "\ufeff"],
    ["a mark before", `\ufeff${named("a: 1")}`],
    ["carriage returns", named("a: 1").replaceAll("\n", "\r")],
    ["mixed line ends", named("a: 1").replaceAll("\n", "\r\n\n\r")],
    ["separators", named("a: \u2028\u2029\u0085")],
    ["zeroes", named("a: x\0y")],
    ["lone surrogates", named('a: "\\ud800"')],
    [
      "tag characters",
      named(`a: ${[...Array(40).keys()].map((index) => String.fromCodePoint(0xe0020 + index)).join("")}`),
    ],
    ["an endless quote", named(`a: "${"\\".repeat(9_999)}`)],
    ["many keys", named(Array.from({ length: 20_000 }, (_, index) => `k${index}: v`).join("\n"))],
    ["a long key", named(`? ${"k".repeat(100_000)}\n: v`)],
    [
      "wrong types",
      head(
        "name: [probe]\ndescription: {a: 1}\nallowed-tools: 7\nmetadata: text\ntags: {a: b}\nhooks: 1\nversion: [1]",
      ),
    ],
    ["a name of nothing", head('name: ""\ndescription: ""')],
    ["a name that climbs", head("name: ../../etc\ndescription: d")],
    ["a million stars", head("name: probe\ndescription: d", "*".repeat(500_000))],
    ["open brackets", head("name: probe\ndescription: d", "[".repeat(200_000))],
    ["open quotes", head("name: probe\ndescription: d", "> ".repeat(100_000))],
    ["open code", head("name: probe\ndescription: d", `${"`".repeat(100_000)}!`)],
    [
      "links to everywhere",
      head(
        "name: probe\ndescription: d",
        "[x](javascript:alert(1)) ![y](//host/../../p) [z](file:///etc/passwd)\n".repeat(2_000),
      ),
    ],
    ["commands inside", head("name: probe\ndescription: d", "!`rm -rf /` $(id) $HOME {{7*7}}\n".repeat(2_000))],
  ];
  return texts.map(([family, text]) => ({ family: `document: ${family}`, name: "SKILL.md", bytes: Buffer.from(text) }));
}

/** Manifests of runnable skills that attack the parsers of JSON and of schemas. */
export function hostileManifests(): { family: string; text: string }[] {
  const manifest = (more: Record<string, unknown>) =>
    JSON.stringify({
      name: "probe",
      description: "d",
      entry: "run",
      class: "safe",
      schema: { type: "object" },
      ...more,
    });
  const ofString = (schema: unknown) => manifest({ schema: { type: "object", properties: { a: schema } } });
  const deep = Array.from({ length: 5_000 }).reduce(
    (inner: string) => `{"type":"object","properties":{"a":${inner}}}`,
    "{}",
  );
  const texts: [family: string, text: string][] = [
    ["a slow pattern", ofString({ type: "string", pattern: "^(a+)+$" })],
    ["a broken pattern", ofString({ type: "string", pattern: "([" })],
    ["a reference outside", ofString({ $ref: "http://127.0.0.1:9/schema" })],
    ["a reference to a file", ofString({ $ref: "file:///etc/passwd" })],
    ["a circle", manifest({ schema: { $ref: "#" } })],
    ["a deep schema", `{"name":"probe","description":"d","entry":"run","class":"safe","schema":${deep}}`],
    ["a wide schema", ofString({ oneOf: Array.from({ length: 20_000 }, (_, index) => ({ const: index })) })],
    [
      "a prototype",
      '{"name":"probe","description":"d","entry":"run","class":"safe","schema":{"type":"object"},"__proto__":{"isAdmin":true}}',
    ],
    ["a key twice", '{"name":"probe","name":"other","description":"d","entry":"run","class":"safe"}'],
    ["an unknown keyword", ofString({ type: "string", format: "nonsense", $data: "1/a", if: { not: {} } })],
    ["an unknown type", ofString({ type: "strung" })],
    ["huge numbers", ofString({ type: "number", minimum: 1e308, multipleOf: 0 })],
    ["an entry that climbs", manifest({ entry: "../../../bin/sh" })],
    ["an entry from the root", manifest({ entry: "/bin/sh" })],
    ["an entry that is not there", manifest({ entry: "nothing" })],
    ["an entry of arguments", manifest({ entry: ["run", "\0", "-c"] })],
    ["a class of its own", manifest({ class: "root" })],
    ["limits", manifest({ timeoutSeconds: -1, timeout: 1e99, limits: { memoryMiB: "all" } })],
    ["not JSON", "{name: probe}"],
    ["cut short", '{"name": "pro'],
    ["a list", "[]"],
    ["null", "null"],
    ["only a number", "1e999999"],
    ["nothing", ""],
    ["comments", '{/* c */ "name": "probe", }'],
    ["a mark before", `\ufeff${manifest({})}`],
    [
      "lone surrogates",
      '{"name":"probe","description":"\\ud800","entry":"run","class":"safe","schema":{"type":"object"}}',
    ],
    ["zeroes", '{"name":"probe","description":"a\\u0000b","entry":"run","class":"safe","schema":{"type":"object"}}'],
  ];
  return texts.map(([family, text]) => ({ family: `manifest: ${family}`, text }));
}
