import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { isShellName, launcherFilesIn, shellScript } from "./preforked-process";
import "@/lib/testing/property-seed";

const dir = mkdtempSync(join(tmpdir(), "it's a launcher-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const files = launcherFilesIn(dir);
for (const path of Object.values(files)) writeFileSync(path, "what it reads");

function start(words: string[], env: Record<string, string> = {}) {
  const script = shellScript({ words, env, cwd: "/", files, has: { filter: true, tell: true, wait: true } });
  const shell = spawnSync("/bin/sh", ["-s"], { input: `${script}echo "still here"\n`, env: {} as NodeJS.ProcessEnv });
  return { said: shell.stdout.toString().split("\n"), output: readFileSync(files.output), errors: shell.stderr };
}

const text = fc.string({ unit: "binary" }).map((raw) => raw.replaceAll("\0", "\n'"));

it("hands over every word as it is", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (words) => {
      const { output } = start(["/usr/bin/printf", "%s\\0", ...words]);
      expect(output).toEqual(Buffer.from(words.map((word) => `${word}\0`).join("")));
    }),
    { numRuns: 40 },
  );
});

it("hands over the environment, and nothing of the shell's own", () => {
  const name = fc.string().map((raw) => `N${raw.replace(/\W/g, "_")}`);
  fc.assert(
    fc.property(fc.dictionary(name, text, { maxKeys: 4 }), (env) => {
      const { output } = start(["/bin/cat", "/proc/self/environ"], env);
      const seen = output.toString().split("\0").slice(0, -1).sort();
      const given = Object.entries(env).map(([key, value]) => `${key}=${Buffer.from(value)}`);
      expect(seen).toEqual(given.sort());
    }),
    { numRuns: 30 },
  );
});

it("tells the process id before it becomes the program, and how it ended", () => {
  const { said, output } = start(["/bin/sh", "-c", 'echo "$$ $(pwd) $(cat)"; exit 7']);
  const pid = /^p (\d+)$/.exec(said[0] ?? "")?.[1];
  expect(output.toString()).toBe(`${pid} / what it reads\n`);
  expect(said.slice(1)).toEqual(["x 7", "still here", ""]);
  expect(start(["/bin/sh", "-c", "kill -9 $$"]).said[1]).toBe("x 137");
});

it("leaves it the streams alone, and not the one on which it is heard itself", () => {
  const { output } = start(["/bin/ls", "/proc/self/fd"]);
  // The last descriptor is the one that ls itself opens; descriptors with more digits belong to the process that started this
  // test.
  expect(output.toString().match(/^\d$/gm)?.join("")).toBe("0123456");
});

it("says only how it ended when a stream is not there, and goes on", () => {
  const script = shellScript({
    words: ["/bin/true"],
    env: {},
    cwd: "/",
    files: { ...files, input: join(dir, "missing") },
    has: {},
  });
  const shell = spawnSync("/bin/sh", ["-s"], { input: `${script}echo "still here"\n`, env: {} as NodeJS.ProcessEnv });
  expect(shell.stdout.toString()).toMatch(/^x [1-9]\d*\nstill here\n$/);
});

it.each([
  ["PATH", true],
  ["_a1", true],
  ["OPTIND", false],
  ["1a", false],
  ["a-b", false],
  ["a b", false],
  ["", false],
])("the name %j can be handed over by a shell: %s", (name, expected) => {
  expect(isShellName(name)).toBe(expected);
});
