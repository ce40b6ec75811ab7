import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { curlForRun, mcpForRun, shellForRun, shellQuote } from "./curl-command";

/** Returns the words that a real shell reads from quoted text. */
function throughShell(words: readonly string[]): string[] {
  const script = `printf '%s\\0' ${words.map(shellQuote).join(" ")}`;
  const out = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" });
  return out.split("\0").slice(0, -1);
}

// A command line is UTF-8 and cannot hold a NUL.
const word = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", ""));
const nasty = fc.constantFrom("'", "''", "$HOME", "`id`", "$(id)", "\\", '"', "\n", "!", "*", "~", "-n", "'; id; '");

describe("shellQuote", () => {
  it("passes any text through a shell unchanged", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            word,
            nasty,
            fc.tuple(word, nasty, word).map((parts) => parts.join("")),
          ),
          { minLength: 20, maxLength: 60 },
        ),
        (words) => {
          expect(throughShell(words)).toEqual(words);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe("curlForRun", () => {
  it("keeps the token a variable and the body complete", () => {
    const args = { text: "it's $HOME", n: 1 };
    const command = curlForRun({ origin: "http://localhost:3000", skill: "a b", args, confirm: true });
    expect(command).toContain("'http://localhost:3000/api/skills/a%20b/runs'");
    expect(command).toContain('"Authorization: Bearer $SKILLGATE_TOKEN"');
    const words = execFileSync(
      "/bin/sh",
      ["-c", `curl() { printf '%s\\0' "$@"; }; SKILLGATE_TOKEN=sgt_x; ${command}`],
      {
        encoding: "utf8",
      },
    ).split("\0");
    expect(words).toContain("Authorization: Bearer sgt_x");
    expect(JSON.parse(words[words.indexOf("--data-raw") + 1] ?? "")).toEqual({ args, wait: 30, confirm: true });
  });
});

describe("mcpForRun", () => {
  it("names the tool and its arguments", () => {
    const call = JSON.parse(mcpForRun({ origin: "http://x", skill: "csv_summary", args: { a: 1 }, confirm: true }));
    expect(call).toMatchObject({
      jsonrpc: "2.0",
      method: "tools/call",
      params: { name: "csv_summary", arguments: { a: 1 } },
    });
  });
});

describe("shellForRun", () => {
  it("sends piped arguments, and is a valid shell script", () => {
    const script = shellForRun({ origin: "http://x", skill: "a b", args: { t: "it's $HOME" }, confirm: true });
    const stubs = `jq() { cat; }; curl() { cat >&2; printf '%s\\0' "$@" >&2; }; SKILLGATE_TOKEN=sgt_x`;
    const said = execFileSync("/bin/sh", ["-c", `exec 2>&1; ${stubs}; ${script}`], {
      input: '{"piped":1}',
      encoding: "utf8",
    });
    expect(said).toContain('{"piped":1}');
    expect(said).toContain("http://x/api/skills/a%20b/runs");
    expect(said).toContain("Authorization: Bearer sgt_x");
    expect(script).toContain("confirm: true");
  });
});
