import { describe, expect, it } from "vitest";
import { createRandom } from "../testing/seeded-random";
import { checkScriptEntry } from "./check-script-entry";
import { proposeEntry } from "./propose-entry";
import type { EntryProposal } from "./script-entry";
import { scriptInput } from "./script-entry";

type Described = Record<string, Record<string, unknown>>;

function propertiesOf({ entry }: EntryProposal): Described {
  return entry.schema.properties as Described;
}

/** `--name: string` per parameter, with `...` for lists and `*` for required ones. */
function told(proposal: EntryProposal): string[] {
  const { call, schema } = proposal.entry;
  if (call.style !== "argv") return [];
  return call.params.map(({ name, kind, flag, repeat }) => {
    const property = propertiesOf(proposal)[name] ?? {};
    const type = (property.items as { type?: string } | undefined)?.type ?? property.type;
    const required = (schema.required as string[] | undefined)?.includes(name) ? "*" : "";
    return `${kind === "positional" ? name : `${name} ${flag}`}: ${type}${repeat ? "..." : ""}${required}`;
  });
}

describe("a Python script", () => {
  it("is read from argparse", () => {
    const proposal = proposeEntry(
      "scripts/convert.py",
      `#!/usr/bin/env python3
"""Converts."""
import argparse

def main():
    p = argparse.ArgumentParser(description="x")
    p.add_argument("source", help="What to read, "
                   "one file")
    p.add_argument("extra", nargs="*")
    p.add_argument("-n", "--count", type=int, default=3, help="how many")  # a comment, with a comma
    p.add_argument("--ratio", type=float, required=True)
    p.add_argument("--format", choices=["json", "csv"], default='csv')
    p.add_argument("--verbose", action="store_true")
    p.add_argument("--no-cache", dest="cache", action="store_false")
    p.add_argument("--tag", action="append", default=[])
    p.add_argument("--size", nargs=2, type=int)
    p.add_argument("--version", action="version", version="1")
    p.add_argument("--out", type=Path, default=os.getcwd())
    args = p.parse_args()
`,
    );
    expect(proposal).toMatchObject({ readFrom: "argparse", line: 7, confidence: "declared" });
    expect(told(proposal)).toEqual([
      "source: string*",
      "extra: string...",
      "count --count: integer",
      "ratio --ratio: number*",
      "format --format: string",
      "verbose --verbose: boolean",
      "no_cache --no-cache: boolean",
      "tag --tag: string...",
      "size --size: integer...",
      "out --out: string",
    ]);
    const { source, count, format, size, out } = propertiesOf(proposal);
    expect(source).toEqual({ type: "string", description: "What to read, one file" });
    expect(count).toEqual({ type: "integer", description: "how many", default: 3 });
    expect(format).toEqual({ type: "string", enum: ["json", "csv"], default: "csv" });
    expect(size).toMatchObject({ minItems: 2, maxItems: 2 });
    expect(out).toEqual({ type: "string" });
    const args = { source: "-x", ratio: -1.5, size: [3, 4], tag: ["a", "b"] };
    expect(scriptInput(proposal.entry.call, args)).toEqual({
      ok: true,
      input: { argv: ["--ratio=-1.5", "--tag", "a", "--tag", "b", "--size", "3", "4", "--", "-x"], stdin: "" },
    });
  });

  it("has its commands read by name only", () => {
    const proposal = proposeEntry(
      "tool.py",
      `import argparse
p = argparse.ArgumentParser()
p.add_argument("--db", default="a.db")
sub = p.add_subparsers(dest="cmd")
add = sub.add_parser("add")
add.add_argument("title")
sub.add_parser("list", help="all")
`,
    );
    expect(told(proposal)).toEqual(["db --db: string", "command: string*", "arguments: string..."]);
    expect(propertiesOf(proposal).command?.enum).toEqual(["add", "list"]);
    const args = { command: "add", arguments: ["--loud", "x"] };
    expect(scriptInput(proposal.entry.call, args)).toMatchObject({ input: { argv: ["add", "--loud", "x"] } });
  });

  it("is read from click", () => {
    const proposal = proposeEntry(
      "greet.py",
      `import click

@click.command()
@click.option("--count", "-c", default=1, help="Number of greetings.")
@click.option("--level", type=click.Choice(["low", "high"]), required=True)
@click.option("--shout/--no-shout", default=False)
@click.option("-v", "verbose", is_flag=True)
@click.option("--tag", multiple=True)
@click.argument("name")
@click.argument("files", nargs=-1, type=click.Path())
def hello(count, name): ...
`,
    );
    expect(proposal).toMatchObject({ readFrom: "click", line: 4 });
    expect(told(proposal)).toEqual([
      "count --count: integer",
      "level --level: string*",
      "shout --shout: boolean",
      "verbose -v: boolean",
      "tag --tag: string...",
      "name: string*",
      "files: string...",
    ]);
    expect(propertiesOf(proposal).level?.enum).toEqual(["low", "high"]);
  });

  it("is read from typer", () => {
    const proposal = proposeEntry(
      "run.py",
      `import typer
app = typer.Typer()

@app.command()
def main(name: str, times: int = 2, loud: bool = False,
         out: str = typer.Option(..., "--out", "-o", help="Where"),
         files: Annotated[list[str], typer.Argument(help="What")] = None):
    pass
`,
    );
    expect(told(proposal)).toEqual([
      "name: string*",
      "times --times: integer",
      "loud --loud: boolean",
      "out --out: string*",
      "files: string...",
    ]);
  });

  it("is read from the numbers of sys.argv, and from its input", () => {
    const proposal = proposeEntry(
      "a.py",
      "import sys\nsource = sys.argv[1]\nn = int(sys.argv[2])\nfor line in sys.stdin: pass\n",
    );
    expect(told(proposal)).toEqual(["source: string*", "n: string"]);
    expect(proposal).toMatchObject({ line: 2, confidence: "guessed", entry: { call: { stdin: "input" } } });
    const json = proposeEntry("b.py", "import json, sys\ndata = json.load(sys.stdin)\n");
    expect(json).toMatchObject({ line: 2, entry: { call: { style: "stdin-json" }, schema: { type: "object" } } });
  });
});

describe("a Node script", () => {
  it("is read from commander", () => {
    const proposal = proposeEntry(
      "x.mjs",
      `import { program } from "commander";
program
  .argument("<file>", "the file, to read")
  .argument("[more...]")
  .option("-d, --debug", "talk")
  .option("-p, --port <number>", "port", 80)
  .option("--tags <items...>")
  .requiredOption("--key <key>", "the key");
`,
    );
    expect(proposal).toMatchObject({ readFrom: "commander", line: 3 });
    expect(told(proposal)).toEqual([
      "debug --debug: boolean",
      "port --port: integer",
      "tags --tags: string...",
      "key --key: string*",
      "file: string*",
      "more: string...",
    ]);
    const args = { file: "f", key: "k", tags: ["a", "b"] };
    expect(scriptInput(proposal.entry.call, args)).toMatchObject({
      input: { argv: ["--tags", "a", "b", "--key", "k", "--", "f"] },
    });
  });

  it("is read from yargs", () => {
    const proposal = proposeEntry(
      "y.js",
      `const argv = require("yargs/yargs")(process.argv.slice(2))
  .option("size", { alias: "s", type: "number", describe: "how big", demandOption: true })
  .option("kind", { choices: ["a", "b"], default: "a" })
  .option("dry", { type: "boolean" }).argv;
`,
    );
    expect(told(proposal)).toEqual(["size --size: number*", "kind --kind: string", "dry --dry: boolean"]);
    expect(propertiesOf(proposal).kind).toEqual({ type: "string", enum: ["a", "b"], default: "a" });
  });

  it("is read from util.parseArgs", () => {
    const proposal = proposeEntry(
      "z.mjs",
      `import { parseArgs } from "node:util";
const { values } = parseArgs({
  options: { name: { type: "string", short: "n" }, loud: { type: "boolean" }, tag: { type: "string", multiple: true } },
  allowPositionals: true,
});
`,
    );
    expect(proposal).toMatchObject({ readFrom: "util.parseArgs", line: 2 });
    expect(told(proposal)).toEqual([
      "name --name: string",
      "loud --loud: boolean",
      "tag --tag: string...",
      "arguments: string...",
    ]);
  });

  it("is read from process.argv", () => {
    expect(told(proposeEntry("a.js", "const [input, output] = process.argv.slice(2);"))).toEqual([
      "input: string*",
      "output: string*",
    ]);
    expect(told(proposeEntry("b.js", "const file = process.argv[2];"))).toEqual(["file: string*"]);
    expect(told(proposeEntry("c.js", "run(process.argv.slice(2));"))).toEqual(["args: string..."]);
  });
});

describe("a shell script", () => {
  it("is read from getopts, named by the variables it sets", () => {
    const proposal = proposeEntry(
      "g.sh",
      `#!/bin/bash
# -n NAME   who is greeted
while getopts ":n:vh" opt; do
  case $opt in
    n) NAME="$OPTARG" ;;
    v) VERBOSE=1 ;;
    h) usage ;;
  esac
done
shift $((OPTIND - 1))
`,
    );
    expect(proposal).toMatchObject({ readFrom: "getopts", line: 3, confidence: "declared" });
    expect(told(proposal)).toEqual(["name -n: string", "verbose -v: boolean", "arguments: string..."]);
    expect(propertiesOf(proposal).name?.description).toBe("who is greeted");
  });

  it("is read from a case of flags", () => {
    const proposal = proposeEntry(
      "c.sh",
      `while [[ $# -gt 0 ]]; do
  case "$1" in
    -o|--output) OUT="$2"; shift 2 ;;
    --dry-run) DRY=1; shift ;;
    --level=*) LEVEL="\${1#*=}"; shift ;;
    -h|--help) usage; exit 0 ;;
    *) break ;;
  esac
done
`,
    );
    expect(proposal).toMatchObject({ line: 3, confidence: "described" });
    expect(told(proposal)).toEqual([
      "output --output: string",
      "dry_run --dry-run: boolean",
      "level --level: string",
      "arguments: string...",
    ]);
    const call = proposal.entry.call;
    expect(scriptInput(call, { output: "-x", level: "a b" })).toMatchObject({
      input: { argv: ["--output", "-x", "--level=a b"] },
    });
    expect(scriptInput(call, { arguments: ["-x"] })).toMatchObject({ ok: false, errors: [{ path: "arguments" }] });
  });

  it("is read from its usage text", () => {
    const proposal = proposeEntry(
      "u.sh",
      `#!/bin/sh
# Usage: u.sh [options] [--depth N] --to <where> SOURCE [TARGET...]
#
#   -q, --quiet        say nothing
#   --depth N          how deep
echo "$1"
`,
    );
    expect(proposal).toMatchObject({ readFrom: "usage text", line: 2, confidence: "described" });
    expect(told(proposal)).toEqual([
      "depth --depth: string",
      "to --to: string*",
      "source: string*",
      "target: string...",
      "quiet --quiet: boolean",
    ]);
    expect(propertiesOf(proposal).depth?.description).toBe("how deep");
  });

  it("is read from its numbered arguments", () => {
    const proposal = proposeEntry("n.sh", `NAME="$1"\nOUT=\${2:-out.txt}\n`);
    expect(told(proposal)).toEqual(["name: string*", "out: string"]);
    expect(propertiesOf(proposal).out?.default).toBe("out.txt");
  });
});

it("proposes one list of texts for a script without a parser", () => {
  const proposal = proposeEntry("bare.rb", "puts 1\n");
  expect(told(proposal)).toEqual(["args: string..."]);
  expect(proposal).toMatchObject({ line: null, confidence: "guessed", readFrom: "nothing" });
});

const PIECES = [
  ..."()[]{}'\"`\\,=:#\n\t -|<>.$*;".split(""),
  ...[
    "argparse",
    ".add_argument(",
    "@click.option(",
    "@click.argument(",
    "import typer\n",
    "@app.command()\ndef main(",
  ],
  ...[
    '"commander"',
    ".option(",
    '"yargs"',
    "parseArgs({options:",
    "process.argv[2]",
    "process.argv.slice(2)",
    "sys.argv[1]",
  ],
  ...[
    "getopts ",
    "case ",
    "while ",
    "--flag)",
    "-n|--name)",
    "Usage: x ",
    "[--foo BAR]",
    "FILE...",
    "__proto__",
    "nargs=",
    '"+"',
  ],
  ...[
    "type=int",
    "default=",
    "1e309",
    "action=",
    '"append"',
    '"--name"',
    '"__proto__"',
    "constructor",
    "\0",
    "\ud800",
    "é",
    "//",
    "/*",
  ],
];

it("answers every text with an entry that could be approved", () => {
  const random = createRandom(20_260_207);
  for (let round = 0; round < 1_000; round += 1) {
    const path = ["a.py", "a.mjs", "a.sh", "a"][round % 4] ?? "a";
    const text = Array.from({ length: random.below(60) }, () => PIECES[random.below(PIECES.length)]).join("");
    const { entry } = proposeEntry(path, text);
    expect(checkScriptEntry(entry, "#!/bin/sh"), text).toEqual([]);
  }
});

it("reads endless texts with bounded work", () => {
  for (const piece of PIECES) {
    for (const path of ["a.py", "a.js", "a.sh"]) {
      const start = path === "a.py" ? "import argparse, click, typer\n" : '"commander" "yargs" while case\n';
      expect(proposeEntry(path, start + piece.repeat(Math.ceil(20_000 / piece.length))).entry.path).toBe(path);
    }
  }
});
