import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { createRunDirPool } from "../files/run-dirs";
import { prepareWorkDir } from "../files/work-dir";
import { entryLaunch, startDirectly } from "../launch/direct-launcher";
import { readProcessStat } from "../processes/read-process";
import { Outcome, RunLimits } from "../protocol";
import { executeLease } from "../testing/execute-lease";
import { isAlive } from "../testing/is-alive";
import { makeLease } from "../testing/make-lease";
import { makeWorkDir } from "../testing/make-work-dir";
import { waitUntil } from "../testing/wait-until";
import { describeEnd } from "./describe-end";
import { checkEntry } from "./entry-command";
import { runEntry } from "./run-entry";

const limits = RunLimits.parse({ timeoutMs: 20_000, stdoutBytes: 1024 * 1024, stderrBytes: 256 * 1024 });

function readPid(texts: string[]): number | null {
  const pid = texts.map((text) => /^pid (\d+)$/.exec(text)?.[1]).find(Boolean);
  return pid ? Number(pid) : null;
}

describe("a run that succeeds", () => {
  it("hands the arguments to a shell script on stdin and returns what it prints", async () => {
    const run = await executeLease(makeLease("echo.sh", { args: { text: "hello; touch /tmp/x $(id)", n: 1 } }));
    const outcome = await run.outcome;
    expect(Outcome.parse(outcome)).toMatchObject({
      result: { text: "hello; touch /tmp/x $(id)", n: 1 },
      error: null,
      exitCode: 0,
      signal: null,
      timedOut: false,
      truncated: false,
      rawOutput: null,
    });
    expect(outcome.durationMs).toBeGreaterThan(0);
    expect(Date.parse(outcome.finishedAt)).toBeGreaterThanOrEqual(Date.parse(outcome.startedAt));
    expect(run.texts("stderr")).toEqual(["reading the arguments"]);
    expect(run.texts("system")).toEqual(["This worker has no sandbox: the run is not isolated from the host."]);
  });

  it("runs Python in a read-only directory with a private home, and leaves nothing behind", async () => {
    const run = await executeLease(makeLease("report.py", { args: { a: [1, "ü"] } }));
    const { result } = await run.outcome;
    const dir = join(run.workDir.runsDir, "run-");
    expect(result).toMatchObject({
      args: { a: [1, "ü"] },
      argv: [],
      cwd: expect.stringMatching(new RegExp(`^${dir}\\d+-1/skill$`)),
      homeMode: "0o700",
      fileMode: "0o555",
      dirMode: "0o555",
    });
    const { group, session } = readProcessStat(process.pid) ?? {};
    expect([group, session]).not.toContain((result as { group: number }).group);
    expect([group, session]).not.toContain((result as { session: number }).session);
    await waitUntil("an empty directory", () => readdirSync(run.workDir.runsDir).length === 0);
  });

  it("takes over the directory of the run before, when that left it as it found it", async () => {
    const script = `#!/bin/sh\nread -r args\ncase $args in *write*) echo 1 >"$HOME/left" ;; esac\nprintf '"%s"' "$PWD"\n`;
    const host = { workDir: await prepareWorkDir(makeWorkDir()), runDirs: createRunDirPool() };
    const runIn = async (args: object) => {
      const kit = makeLease("echo.sh", { args: args as Record<string, unknown> }, () => script);
      const { error, result } = await (await executeLease(kit, host)).outcome;
      expect(error).toBeNull();
      // The directory is checked in the turn after the outcome.
      await turn();
      return result as string;
    };
    const first = await runIn({});
    expect(await runIn({})).toBe(first);
    expect(await runIn({ write: 1 })).toBe(first);
    const next = await runIn({});
    expect(next).not.toBe(first);
    await waitUntil("the end of what was written", () => !existsSync(dirname(first)));
    host.runDirs.close();
    expect(readdirSync(host.workDir.runsDir)).toEqual([]);
  });

  it("passes only granted variables, and never one of the server's or the loader's", async () => {
    const env = { PATH: "/usr/bin:/bin", SECRET: "s", GRANTED: "g", LD_PRELOAD: "/x.so", SKILLGATE_WORKER_TOKEN: "t" };
    const named = (result: unknown) => (result as { env: Record<string, string> }).env;
    const bare = named((await (await executeLease(makeLease("report.py"), { env })).outcome).result);
    const granted = ["GRANTED", "ABSENT", "LD_PRELOAD", "SKILLGATE_WORKER_TOKEN", "HOME", "PATH"];
    const more = named((await (await executeLease(makeLease("report.py", { env: granted }), { env })).outcome).result);
    // Python itself adds LC_CTYPE.
    const names = (of: Record<string, string>) =>
      Object.keys(of)
        .filter((name) => name !== "LC_CTYPE")
        .sort();
    expect(names(bare)).toEqual(["HOME", "SHLVL", "TMPDIR"]);
    expect(names(more)).toEqual(["GRANTED", "HOME", "PATH", "SHLVL", "TMPDIR"]);
    expect(more.HOME).toMatch(/-1\/home$/);
    expect(more.TMPDIR).toBe(more.HOME);
  });

  it("does not mind an entry that never reads 1 MB of arguments", async () => {
    const skillDir = fileURLToPath(new URL("../fixtures", import.meta.url));
    const entryPath = join(skillDir, "ignore-stdin.sh");
    const stdin = JSON.stringify({ text: "x".repeat(1024 * 1024) });
    const start = () => startDirectly(entryLaunch(entryPath, { cwd: skillDir, env: {} }));
    const end = await runEntry(
      { start, sandbox: null, runDir: makeWorkDir(), stdin, limits },
      () => {},
      new AbortController(),
    );
    expect(describeEnd(end)).toMatchObject({ result: { ok: true }, error: null });
  });
});

describe("a run that fails by itself", () => {
  it("reports a non-zero exit with the end of stderr and keeps what was printed", async () => {
    const { outcome } = await executeLease(makeLease("exit-7.sh"));
    expect(await outcome).toMatchObject({
      error: { code: "exit_nonzero", message: "exit 7 (stderr: the disk is full)" },
      exitCode: 7,
      rawOutput: '{"half": "done"}\n',
    });
  });

  it("reports the signal that killed it", async () => {
    const { outcome } = await executeLease(makeLease("crash.sh"));
    expect(await outcome).toMatchObject({ error: { code: "signalled" }, exitCode: null, signal: "SIGSEGV" });
  });

  it.each([
    ["silent.sh", "stdout is empty"],
    ["two-values.sh", "more than one JSON value"],
  ])("refuses the output of %s", async (fixture, message) => {
    const { outcome } = await executeLease(makeLease(fixture));
    expect((await outcome).error).toMatchObject({ code: "invalid_output", message: expect.stringContaining(message) });
  });

  it("names a missing interpreter", async () => {
    const { outcome } = await executeLease(makeLease("no-interpreter.sh"));
    expect((await outcome).error).toMatchObject({
      code: "spawn_failed",
      message: expect.stringContaining("/nowhere/interpreter"),
    });
  });

  it("refuses arguments that do not fit the schema before anything is started", async () => {
    const schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
    const run = await executeLease(makeLease("echo.sh", { schema }));
    expect((await run.outcome).error).toMatchObject({ code: "invalid_args", message: expect.stringContaining("text") });
    expect(run.texts("stderr")).toEqual([]);
  });
});

describe("limits", () => {
  it("stops a run that prints 100 MB at its limit and keeps the beginning", async () => {
    const run = await executeLease(makeLease("flood-stdout.py"));
    const outcome = await run.outcome;
    expect(outcome).toMatchObject({ error: { code: "output_limit" }, truncated: true, timedOut: false });
    expect(outcome.error?.message).toContain("1048576 bytes");
    expect(outcome.rawOutput?.length).toBeLessThanOrEqual(65_536);
    expect(run.texts("system").join()).toContain("1048576 bytes");
  });

  it("keeps head and tail of a stderr flood and lets the run go on", async () => {
    const run = await executeLease(makeLease("flood-stderr.py", { limits: { ...limits, stderrBytes: 10_000 } }));
    expect(await run.outcome).toMatchObject({ error: null, result: {}, truncated: true });
    const lines = run.texts("stderr");
    expect(lines[0]).toBe("line 0");
    expect(lines.at(-1)).toBe("line 99999");
    expect(lines.join("\n").length).toBeLessThanOrEqual(10_000);
    const total = Array.from({ length: 100_000 }, (_, n) => `line ${n}\n`).join("").length;
    expect(run.texts("system").at(-1)).toContain(`${total - 10_000} bytes of stderr are left out`);
  });

  it("kills a run that ignores SIGTERM after the grace", async () => {
    const run = await executeLease(makeLease("stubborn.sh", { limits: { ...limits, timeoutMs: 200 } }));
    const outcome = await run.outcome;
    const pid = readPid(run.texts("stderr"));
    expect(outcome).toMatchObject({ error: { code: "timed_out" }, timedOut: true, signal: "SIGKILL", exitCode: null });
    expect(outcome.error?.message).toContain("0.2 s");
    expect(outcome.durationMs).toBeGreaterThan(1500);
    expect(outcome.durationMs).toBeLessThan(3500);
    expect(run.texts("stderr")).toContain("told to end");
    expect(pid !== null && isAlive(pid)).toBe(false);
  });

  it("a 200 ms timeout ends a sleeping script with its child process", async () => {
    const run = await executeLease(makeLease("wait-with-child.sh", { limits: { ...limits, timeoutMs: 200 } }));
    const outcome = await run.outcome;
    const child = readPid(run.texts("stderr"));
    expect(outcome).toMatchObject({ error: { code: "timed_out" }, timedOut: true, exitCode: null });
    expect(child).not.toBeNull();
    expect(isAlive(child ?? 0)).toBe(false);
  });

  it("ends a run that heeds SIGTERM at once", async () => {
    const { outcome } = await executeLease(makeLease("wait.sh", { limits: { ...limits, timeoutMs: 200 } }));
    const { durationMs, signal } = await outcome;
    expect({ signal, isQuick: durationMs < 1500 }).toEqual({ signal: "SIGTERM", isQuick: true });
  });
});

describe("processes", () => {
  it.each(["leave-daemon.py", "daemon-outside.py"])(
    "finds and ends what %s left in a session of its own",
    async (fixture) => {
      const run = await executeLease(makeLease(fixture));
      const outcome = await run.outcome;
      expect(outcome.error).toBeNull();
      expect(isAlive((outcome.result as { pid: number }).pid)).toBe(false);
      expect(run.texts("system").at(-1)).toMatch(/^Ended \d+ process/);
    },
  );

  it("does not wait for a grandchild that holds stdout open", async () => {
    const { outcome } = await executeLease(makeLease("hold-stdout.sh"));
    expect(await outcome).toMatchObject({ error: null, result: { held: true } });
  });

  it("ends a cancelled run, and the first reason is the one that counts", async () => {
    const run = await executeLease(makeLease("wait.sh"));
    const pid = await waitUntil("the script's pid", () => readPid(run.texts("stderr")));
    run.stop.abort({ code: "cancelled", message: "The run was cancelled: by Ann.", graceMs: 2000 });
    run.stop.abort({ code: "worker_stopped", message: "Later.", graceMs: 0 });
    expect(await run.outcome).toMatchObject({ error: { code: "cancelled" }, signal: "SIGTERM" });
    expect(isAlive(pid)).toBe(false);
  });

  it("starts nothing when it is stopped before", async () => {
    const run = await executeLease(makeLease("wait.sh"));
    run.stop.abort({ code: "worker_stopped", message: "The worker was stopped.", graceMs: 0 });
    expect(await run.outcome).toMatchObject({ error: { code: "worker_stopped" }, exitCode: null, signal: null });
    expect(run.texts("stderr")).toEqual([]);
  });
});

describe("the approved bytes", () => {
  it("fetches a file once; a run whose cached copy was changed is refused, and the next one fetches it anew", async () => {
    const kit = makeLease("ignore-stdin.sh");
    const sha256 = kit.lease.files[0]?.sha256 ?? "";
    const first = await executeLease(kit);
    await first.outcome;
    const second = await executeLease(makeLease("ignore-stdin.sh"), { workDir: first.workDir });
    await second.outcome;
    expect([first.fetched, second.fetched]).toEqual([[sha256], []]);

    const cached = join(first.workDir.cacheDir, sha256);
    const flipped = readFileSync(cached);
    flipped[20] = (flipped[20] ?? 0) ^ 1;
    chmodSync(cached, 0o644);
    writeFileSync(cached, flipped);
    const third = await executeLease(makeLease("ignore-stdin.sh"), { workDir: first.workDir });
    expect((await third.outcome).error).toMatchObject({
      code: "digest_mismatch",
      message: expect.stringContaining("cache"),
    });
    expect([third.fetched, existsSync(cached)]).toEqual([[], false]);
    const fourth = await executeLease(makeLease("ignore-stdin.sh"), { workDir: first.workDir });
    expect((await fourth.outcome).error).toBeNull();
    expect(fourth.fetched).toEqual([sha256]);
    expect(sha256Hex(readFileSync(cached))).toBe(sha256);
  });

  it("refuses other bytes from the server and does not keep them", async () => {
    const kit = makeLease("ignore-stdin.sh");
    for (const bytes of kit.blobs.values()) bytes[20] = (bytes[20] ?? 0) ^ 1;
    const run = await executeLease(kit);
    expect((await run.outcome).error?.code).toBe("digest_mismatch");
    expect(readdirSync(run.workDir.cacheDir)).toEqual([]);
  });

  it("refuses files that are not those of the approved version", async () => {
    const run = await executeLease(makeLease("ignore-stdin.sh", { versionDigest: "0".repeat(64) }));
    expect((await run.outcome).error?.code).toBe("digest_mismatch");
  });

  it("refuses a path that leaves the skill's directory", async () => {
    const { lease, blobs } = makeLease("ignore-stdin.sh");
    const files = lease.files.map((file) => ({ ...file, path: "../escaped" }));
    const run = await executeLease({ ...makeLease("ignore-stdin.sh", { files }), blobs });
    expect((await run.outcome).error?.code).toBe("digest_mismatch");
    expect(existsSync(join(run.workDir.runsDir, "escaped"))).toBe(false);
  });
});

describe("the entry", () => {
  it("must have mode 755", async () => {
    const { lease, blobs } = makeLease("ignore-stdin.sh");
    const files = lease.files.map((file) => ({ ...file, mode: "644" as const }));
    const { outcome } = await executeLease({ ...makeLease("ignore-stdin.sh", { files }), blobs });
    expect((await outcome).error).toMatchObject({ code: "entry_not_executable" });
  });

  it.each([
    ["absent", "entry_missing", "does not exist"],
    ["run.sh/below", "entry_missing", "does not exist"],
    ["", "entry_missing", "names no entry"],
    ["../other/run.sh", "entry_missing", "outside"],
    ["/bin/sh", "entry_missing", "outside"],
    ["folder", "entry_not_executable", "directory"],
    ["plain.txt", "entry_not_executable", "not executable"],
    ["link", "entry_not_executable", "symbolic link"],
    ["linked-folder/cat", "entry_missing", "through a symbolic link"],
  ])("%j is refused as %s: %s", (entry, code, message) => {
    const dir = makeWorkDir();
    writeFileSync(join(dir, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(join(dir, "plain.txt"), "text");
    mkdirSync(join(dir, "folder"));
    symlinkSync("run.sh", join(dir, "link"));
    symlinkSync("/bin", join(dir, "linked-folder"));
    expect(() => checkEntry(dir, entry)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });
});
