import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import type { ScriptCall } from "@/lib/skill-format/entry/script-entry";
import { removeCgroups } from "../processes/control-groups";
import { RunLimits, RunTerms } from "../protocol";
import type { Isolation } from "../sandbox/isolation";
import { probeIsolation, type Strongest } from "../sandbox/probe-isolation";
import { executeLease } from "../testing/execute-lease";

const SAY_ARGV: Record<string, string> = {
  "scripts/say.py": "import sys, json\nprint(json.dumps(sys.argv[1:]))\n",
  "scripts/say.mjs": "console.log(JSON.stringify(process.argv.slice(2)));\n",
  "scripts/say.sh": 'for word in "$@"; do printf "%s\\0" "$word"; done\n',
};

const ARGPARSE = `#!/usr/bin/env python3
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("words", nargs="+")
parser.add_argument("--count", "-c", type=int, default=1)
parser.add_argument("--loud", action="store_true")
parser.add_argument("--mark")
args = parser.parse_args()
print(args.words, args.count, args.loud, args.mark)
`;
const ARGPARSE_CALL: ScriptCall = {
  style: "argv",
  standard: true,
  params: [
    { name: "loud", kind: "flag", flag: "--loud" },
    { name: "count", kind: "option", flag: "-c" },
    { name: "mark", kind: "option", flag: "--mark" },
    { name: "words", kind: "positional", repeat: true },
  ],
};

const GETOPTS = `#!/bin/bash
while getopts "n:v" opt; do case $opt in n) name=$OPTARG;; v) loud=yes;; *) exit 2;; esac; done
shift $((OPTIND - 1))
printf '%s|%s|%s' "$name" "$loud" "$1"
`;

const HOSTILE = [
  "--help",
  "; rm -rf /",
  "a\nb\n",
  "$(id)",
  "`id`",
  "-rf",
  "",
  "* ?",
  "'\"\\",
  "--mark=x",
  "é\u{1f600}",
];

const ALL_WORDS: ScriptCall = {
  style: "argv",
  params: [{ name: "words", kind: "positional", repeat: true, mayBeOption: true }],
};

const filterDir = mkdtempSync(join(tmpdir(), "filters-"));
afterAll(() => rmSync(filterDir, { recursive: true, force: true }));
let count = 0;

function leaseOf(path: string, text: string, call: ScriptCall, args: Record<string, unknown>) {
  const bytes = Buffer.from(text);
  const files = [{ path, mode: "644" as const, sha256: sha256Hex(bytes), size: bytes.length }];
  count += 1;
  const lease = {
    ...{ runId: `script-${count}`, fence: 1, skillName: "script", versionDigest: digestFiles(files), files },
    ...{ entry: path, schema: null, args, env: [], terms: RunTerms.parse({}), secrets: [], call },
    limits: RunLimits.parse({ timeoutMs: 20_000, stdoutBytes: 1024 * 1024, stderrBytes: 256 * 1024 }),
    output: "text" as const,
  };
  return { lease, blobs: new Map([[sha256Hex(bytes), bytes]]) };
}

describe.each<[Isolation["kind"], Strongest | null]>([
  ["none", null],
  ["bubblewrap", "auto"],
  ["unshare", "unshare"],
  ["user", "user"],
])("with the isolation %s", (kind, strongest) => {
  let isolation: Isolation = { kind: "none", reason: "not asked for" };
  let isThere = true;
  beforeAll(async () => {
    if (strongest !== null) isolation = await probeIsolation(filterDir, strongest);
    isThere = isolation.kind === kind;
  });
  afterAll(() => {
    if (isolation.kind !== "none" && isolation.cgroups) removeCgroups(isolation.cgroups);
  });

  async function run(...lease: Parameters<typeof leaseOf>) {
    return (await executeLease(leaseOf(...lease), { isolation, env: {} })).outcome;
  }

  it("starts a script of mode 644 by its ending, each value whole in one argument", async ({ skip }) => {
    if (!isThere) skip();
    for (const [path, text] of Object.entries(SAY_ARGV)) {
      const outcome = await run(path, text, ALL_WORDS, { words: HOSTILE });
      expect(outcome.error).toBeNull();
      const said = String(outcome.result);
      expect(path.endsWith(".sh") ? said.split("\0").slice(0, -1) : JSON.parse(said)).toEqual(HOSTILE);
    }
  });

  it("keeps values from being options of argparse, and its flags and numbers are what was asked for", async ({
    skip,
  }) => {
    if (!isThere) skip();
    const args = { words: ["--help", "; rm"], count: -3, mark: "--loud" };
    const outcome = await run("scripts/count.py", ARGPARSE, ARGPARSE_CALL, args);
    expect(outcome).toMatchObject({ error: null, result: "['--help', '; rm'] -3 False --loud" });
    const loud = await run("scripts/count.py", ARGPARSE, ARGPARSE_CALL, { words: ["a"], loud: true });
    expect(loud).toMatchObject({ error: null, result: "['a'] 1 True None" });
  });

  it("calls a bash script that reads its flags with getopts", async ({ skip }) => {
    if (!isThere) skip();
    const call: ScriptCall = {
      style: "argv",
      standard: true,
      params: [
        { name: "name", kind: "option", flag: "-n" },
        { name: "loud", kind: "flag", flag: "-v" },
        { name: "file", kind: "positional" },
      ],
    };
    const outcome = await run("greet.sh", GETOPTS, call, { name: "-v $(id)", loud: true, file: "-n" });
    expect(outcome).toMatchObject({ error: null, result: "-v $(id)|yes|-n" });
  });
});

const plain = async (...lease: Parameters<typeof leaseOf>) =>
  (await executeLease(leaseOf(...lease), { env: {} })).outcome;

it("hands a parameter to the script's input, and nothing else", async () => {
  const call: ScriptCall = { style: "argv", params: [], stdin: "text" };
  expect(await plain("up.sh", "tr a-z A-Z\n", call, { text: "quiet\n\n" })).toMatchObject({ result: "QUIET\n" });
});

it("gives all arguments as JSON to a script that is called so", async () => {
  expect(await plain("cat.sh", "cat\n", { style: "stdin-json" }, { a: [1] })).toMatchObject({ result: '{"a":[1]}' });
});

it("never starts a script with what it cannot be given whole", async () => {
  const call: ScriptCall = { style: "argv", params: [{ name: "file", kind: "positional" }] };
  const start = (args: Record<string, unknown>) => plain("never.sh", "echo started\n", call, args);
  expect(await start({ file: "a\0b" })).toMatchObject({
    error: { code: "invalid_args", message: expect.stringMatching(/NUL/) },
  });
  expect(await start({ file: "--help" })).toMatchObject({
    error: { code: "invalid_args", message: expect.stringMatching(/option/) },
  });
  expect(await start({ other: "x" })).toMatchObject({ error: { code: "invalid_args" } });
});

it("fails when a script prints what is no text", async () => {
  const outcome = await plain("bin.sh", "printf '\\377'\n", { style: "stdin-json" }, {});
  expect(outcome).toMatchObject({ error: { code: "invalid_output", message: "stdout is not valid UTF-8." } });
});
