import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { RunLimits } from "../protocol";
import { runTrial } from "../sandbox/trial-runs";
import { makeWorkDir } from "../testing/make-work-dir";
import { waitUntil } from "../testing/wait-until";
import { type Analyst, prepareAnalyst } from "./testing/analyse";
import { tracedCalls } from "./traced-calls";
import { openTrace, startTraced } from "./traced-launch";

let found: Analyst | string = "not set up";

beforeAll(async () => {
  found = await prepareAnalyst();
}, 60_000);

/** The trace of a Python program, in which `numbers` are the calls by name, and what it printed. */
async function traceOf(lines: string[], skip: (reason: string) => never, onStart = async (_traceFile: string) => {}) {
  if (typeof found === "string") return skip(found);
  const { host } = found;
  const uid = host.isolation.uids?.first ?? null;
  const dir = makeWorkDir();
  chmodSync(dir, 0o711);
  const traceFile = openTrace(dir, uid);
  onTestFinished(() => rmSync(traceFile, { force: true }));
  const calls = Object.fromEntries(tracedCalls(process.arch).map(({ name, number }) => [name, number]));
  const program = [
    "import ctypes, os, subprocess",
    `numbers = ${JSON.stringify(calls)}`,
    "call = ctypes.CDLL(None, use_errno=True).syscall",
    ...lines,
  ].join("\n");
  let traced = Promise.resolve(false);
  const problem = await runTrial(async () => {
    const started = await startTraced({
      ...{ host, recorder: null, decoys: { files: [], env: {} }, skillDir: "/usr/bin", uid, traceFile },
      ...{ limits: RunLimits.parse({ timeoutMs: 20_000, stdoutBytes: 10_000, stderrBytes: 10_000 }) },
      program: { entry: "true", script: { interpreter: ["/usr/bin/env", "python3", "-c", program], argv: [] } },
    });
    traced = started.traced;
    started.planted?.close();
    void onStart(traceFile);
    return started.child;
  }, "done");
  return { problem, isComplete: await traced, trace: readFileSync(traceFile, "utf8") };
}

function findTracer(traceFile: string): number {
  return Number(execFileSync("pgrep", ["-n", "-x", "-f", `.*strace .*${traceFile}.*`], { encoding: "utf8" }));
}

it("stops every call that it traces, by the number that the kernel has for its name", async ({ skip }) => {
  const { problem, trace } = await traceOf(
    [
      "for name, number in numbers.items():",
      "  if name == 'vfork': subprocess.run(['true'])",
      "  elif name in ('clone', 'fork'):",
      "    if call(number, 17, 0, 0, 0, 0) == 0: os._exit(0)",
      "  else: call(number, 2 if name == 'socket' else -100, 0, 0, 0, 0, 0)",
      "print('done')",
    ],
    skip,
  );
  expect(problem).toBeNull();
  const seen = new Set([...trace.matchAll(/^\d+ +(\w+)\(/gm)].map(([, name]) => name));
  expect([...seen]).toEqual(expect.arrayContaining(tracedCalls(process.arch).map(({ name }) => name)));
});

it("does not stop for the state of an open file, and stops for that of a path", async ({ skip }) => {
  const { problem, trace } = await traceOf(
    [
      "space = ctypes.create_string_buffer(1024)",
      "one = os.open('/usr', os.O_RDONLY)",
      "answers = [call(numbers['newfstatat'], one, b'', space, 0x1000), call(numbers['statx'], one, b'', 0x1000, 0, space)]",
      "answers += [call(numbers['newfstatat'], one, b'bin', space, 0), call(numbers['statx'], -100, b'/opt', 0x1000, 0, space)]",
      "print('done' if answers[:3] == [0, 0, 0] else answers)",
    ],
    skip,
  );
  expect(problem).toBeNull();
  const [builder = ""] = trace.split(" ");
  const ofProgram = trace.split("\n").filter((line) => !line.startsWith(`${builder} `));
  const paths = [...ofProgram.join("\n").matchAll(/ (newfstatat|statx)\([^,]*, "([^"]*)"/g)].map(
    ([, name, path = ""]) => `${name} ${Buffer.from(path.replaceAll("\\x", ""), "hex")}`,
  );
  expect(paths).toEqual(expect.arrayContaining(["newfstatat bin", "statx /opt"]));
  expect(paths).not.toContain("newfstatat ");
  expect(paths).not.toContain("statx ");
});

it("knows no call that the tracer does not know by name", async ({ skip }) => {
  const { problem } = await traceOf(
    ["call(452, -100, b'/tmp', 0o777, 0)", "print('done' if ctypes.get_errno() == 38 else ctypes.get_errno())"],
    skip,
  );
  expect(problem).toBeNull();
});

it("ends a program whose tracer ends", { timeout: 60_000 }, async ({ skip }) => {
  const program = ["import time", "os.access('/MARK', 0)", "time.sleep(30)", "print('done')"];
  const { problem, isComplete } = await traceOf(program, skip, async (traceFile) => {
    await waitUntil("the program", () => /access\("\\x2f\\x4d\\x41\\x52\\x4b"/.test(readFileSync(traceFile, "utf8")));
    process.kill(findTracer(traceFile), "SIGKILL");
  });
  expect(problem).toContain("it ended with code");
  expect(isComplete).toBe(false);
});
