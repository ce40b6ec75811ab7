import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { PUBLIC_ONLY, parseRanges } from "@/lib/core/outgoing/address-ranges";
import { OPENABLE_CAPABILITIES } from "@/lib/policy/worker-allowance";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import type { HostAccess } from "../access/host-access";
import { serverAddress } from "../access/server-address";
import { removeCgroups } from "../processes/control-groups";
import { type Lease, type Outcome, RunLimits, RunTerms } from "../protocol";
import { executeLease } from "../testing/execute-lease";
import type { LeaseKit } from "../testing/make-lease";
import { makeWorkDir } from "../testing/make-work-dir";
import { openAccess } from "../testing/open-access";
import type { Isolation } from "./isolation";
import { probeIsolation } from "./probe-isolation";

type Boxed = Extract<Isolation, { kind: "bubblewrap" | "unshare" | "none" }>;
let isolation: Boxed;

const filterDir = mkdtempSync(join(tmpdir(), "filters-"));
afterAll(() => rmSync(filterDir, { recursive: true, force: true }));

let count = 0;

function scriptLease(
  script: string,
  changes: Partial<Omit<Lease, "limits">> & { limits?: Partial<RunLimits> } = {},
): LeaseKit {
  const bytes = Buffer.from(script);
  const file = { path: "run", mode: "755" as const, sha256: sha256Hex(bytes), size: bytes.length };
  count += 1;
  const lease: Lease = {
    runId: `sandboxed-${count}`,
    fence: 1,
    skillName: "sandboxed",
    versionDigest: digestFiles([file]),
    files: [file],
    entry: "run",
    schema: null,
    args: {},
    env: [],
    terms: RunTerms.parse({}),
    secrets: [],
    ...changes,
    limits: {
      ...RunLimits.parse({ timeoutMs: 20_000, stdoutBytes: 1024 * 1024, stderrBytes: 256 * 1024 }),
      ...changes.limits,
    },
  };
  return { lease, blobs: new Map([[file.sha256, bytes]]) };
}

async function run(
  script: string,
  changes: Parameters<typeof scriptLease>[1] = {},
  env: Record<string, string> = {},
): Promise<Outcome> {
  const { outcome } = await executeLease(scriptLease(script, changes), { isolation, env });
  return outcome;
}

const shell = (...lines: string[]) => ["#!/bin/sh", ...lines, ""].join("\n");
const json = (expression: string) => `printf '"%s"' "${expression}"`;

describe.each([
  ["bubblewrap", "auto"],
  ["unshare", "unshare"],
] as const)("by %s", (kind, strongest) => {
  beforeAll(async () => {
    const found = await probeIsolation(filterDir, strongest);
    isolation = found.kind === kind ? found : { kind: "none", reason: `this host has ${found.kind}` };
  });
  afterAll(() => {
    if (isolation.kind !== "none" && isolation.cgroups) removeCgroups(isolation.cgroups);
  });

  describe("what a sandboxed run is", () => {
    it("is not root, has no capability, no way to more, and a filter", async ({ skip }) => {
      if (isolation.kind === "none") skip(isolation.reason);
      const outcome = await run(
        shell(
          'status=$(grep -E "^(CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status | tr -d "\\t" | tr "\\n" " ")',
          json("$(id -u) $status"),
        ),
      );
      expect(outcome.result).toMatch(/^(?!0 )\d+ CapEff:0{16} CapBnd:0{16} NoNewPrivs:1 Seccomp:[02] $/);
      expect(outcome.result).toContain(kind === "bubblewrap" ? "Seccomp:2" : "Seccomp:0");
    });

    it("sees its own processes only, and not the worker's secrets", async ({ skip }) => {
      if (isolation.kind === "none") skip(isolation.reason);
      const outcome = await run(
        shell("cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n' >&2", json("$(ls -d /proc/[0-9]* | wc -l)")),
        { env: ["GRANTED"] },
        { GRANTED: "granted-value", CANARY: "canary-value" },
      );
      expect(Number(outcome.result)).toBeLessThan(8);
      const told = await executeLease(
        scriptLease(shell("cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n' >&2", json("")), {
          env: ["GRANTED"],
        }),
        { isolation, env: { GRANTED: "granted-value", CANARY: "canary-value" } },
      );
      await told.outcome;
      const text = told.texts("stderr").join("\n");
      expect(text).toContain("granted-value");
      expect(text).not.toContain("canary-value");
    });

    it("has exactly the granted variables, and three of our own", async ({ skip }) => {
      if (isolation.kind === "none") skip(isolation.reason);
      const script = "#!/usr/bin/perl\nprint '{\"names\":\"', join(' ', sort keys %ENV), '\"}';\n";
      const env = { GRANTED: "g", CANARY: "c", PATH: "/usr/bin", LD_PRELOAD: "/x.so" };
      expect((await run(script, { env: ["GRANTED", "LD_PRELOAD"] }, env)).result).toEqual({
        names: "GRANTED HOME SHLVL TMPDIR",
      });
      expect((await run(script, { env: ["PATH"] }, env)).result).toEqual({ names: "HOME PATH SHLVL TMPDIR" });
    });

    it("can write to /tmp, up to its size, and nowhere else", async ({ skip }) => {
      if (isolation.kind === "none") skip(isolation.reason);
      const outcome = await run(
        shell(
          "for place in /skill /usr /etc /dev /proc / /var; do echo x > $place/written && echo $place >&2; done 2>/dev/null",
          "echo x > /tmp/a && first=yes",
          "head -c 3000000 /dev/zero > /tmp/b || full=yes",
          json("$first $full"),
        ),
        { limits: { diskBytes: 1024 * 1024 } },
      );
      expect(outcome.result).toBe("yes yes");
    });
  });

  describe("the network", () => {
    async function listen(): Promise<{ port: number; hits: () => number }> {
      let hits = 0;
      const server = createServer((socket) => {
        hits += 1;
        socket.end("hello");
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close());
      const address = server.address();
      return { port: typeof address === "object" && address ? address.port : 0, hits: () => hits };
    }
    const visit = (port: number) =>
      `#!/usr/bin/perl\nuse IO::Socket::INET;\nmy $s = IO::Socket::INET->new(PeerAddr => '127.0.0.1:${port}', Timeout => 2);\nprint $s ? '"' . <$s> . '"' : '"unreachable"';\n`;

    it("is out of reach unless it was granted", async ({ skip }) => {
      if (isolation.kind === "none") skip(isolation.reason);
      const canary = await listen();
      expect((await run(visit(canary.port))).result).toBe("unreachable");
      expect((await run(visit(canary.port), { terms: RunTerms.parse({ network: true }) })).result).toBe("unreachable");
      expect(canary.hits()).toBe(0);
      const granted = await run(visit(canary.port), { terms: RunTerms.parse({ namespaces: ["net"] }) });
      expect(granted.result).toBe("hello");
      expect(canary.hits()).toBe(1);
    });
  });

  describe("single hosts", () => {
    async function site(): Promise<{ port: number; seen: string[] }> {
      const seen: string[] = [];
      const server = createHttpServer((request, response) => {
        seen.push(`${request.method} ${request.url}`);
        response.end("from the site");
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close());
      const address = server.address();
      return { port: typeof address === "object" && address ? address.port : 0, seen };
    }
    const visitor = `#!/usr/bin/python3
import json, sys, urllib.request
answers = []
for url in json.load(sys.stdin)["urls"]:
    try:
        answers.append(urllib.request.urlopen(url, timeout=5).read().decode())
    except Exception as error:
        answers.append(str(getattr(error, "code", None) or "unreachable"))
print(json.dumps(answers))
`;

    it("are reached through the proxy, and no other", async ({ skip }) => {
      if (isolation.kind === "none") skip(isolation.reason);
      if (isolation.kind !== "none" && isolation.nsenter === null) skip("only root can");
      const [named, other] = [await site(), await site()];
      const urls = [named, other].map(({ port }) => `http://127.0.0.1:${port}/a?b=c`);
      const kit = scriptLease(visitor, {
        args: { urls: [...urls, "http://169.254.169.254/", "https://127.0.0.1:1/"] },
        terms: RunTerms.parse({ hosts: [`127.0.0.1:${named.port}`] }),
      });
      const execution = await executeLease(kit, { isolation });
      expect((await execution.outcome).result).toEqual(["from the site", "403", "403", "unreachable"]);
      expect([named.seen, other.seen]).toEqual([["GET /a?b=c"], []]);
      const told = execution.texts("system");
      expect(told).toContainEqual(expect.stringContaining(`127.0.0.1:${other.port}: it is not among the hosts`));
    });

    it("have tunnels for everything that is not plain http", async ({ skip }) => {
      if (isolation.kind === "none") skip(isolation.reason);
      if (isolation.kind !== "none" && isolation.nsenter === null) skip("only root can");
      const named = await site();
      const script = `#!/usr/bin/python3
import json, os, socket, sys
answers = []
for target in json.load(sys.stdin)["targets"]:
    with socket.create_connection(("127.0.0.1", 3128)) as proxy:
        proxy.sendall(f"CONNECT {target} HTTP/1.1\\r\\nHost: {target}\\r\\n\\r\\n".encode())
        answer = proxy.recv(1000).decode()
        if " 200 " in answer:
            proxy.sendall(b"GET /tunnel HTTP/1.0\\r\\n\\r\\n")
            while "site" not in answer:
                answer += proxy.recv(1000).decode()
        answers.append([answer.split()[1], "from the site" in answer])
print(json.dumps([answers, os.environ["https_proxy"]]))
`;
      const targets = [`127.0.0.1:${named.port}`, "127.0.0.1:22", "[::1]:80", "not an authority"];
      const terms = RunTerms.parse({ hosts: [`127.0.0.1:${named.port}`] });
      const outcome = await run(script, { args: { targets }, terms });
      expect(outcome.error).toBeNull();
      expect(outcome.result).toEqual([
        [
          ["200", true],
          ["403", false],
          ["403", false],
          ["400", false],
        ],
        "http://127.0.0.1:3128",
      ]);
      expect(named.seen).toEqual(["GET /tunnel"]);
    });

    it.each(["hosts", "network"] as const)("%s alone reach no address that is not public", async (kind) => {
      if (isolation.kind === "none" || isolation.nsenter === null) return;
      const { port, seen } = await site();
      const urls = [`http://localhost:${port}/`, `http://127.0.0.1:${port}/`, `http://[::ffff:127.0.0.1]:${port}/`];
      const script = visitor
        .replace("import json", "import os\nos.environ['no_proxy'] = ''\nimport json")
        .replace('str(getattr(error, "code", None) or "unreachable")', "error.read().decode().split()[0]");
      const hosts = [`localhost:${port}`, `127.0.0.1:${port}`];
      const terms = RunTerms.parse(kind === "hosts" ? { hosts } : { network: true });
      const attempt = async (access: HostAccess) => {
        const kit = scriptLease(script, { args: { urls }, terms });
        return (await (await executeLease(kit, { isolation, access })).outcome).result;
      };
      const refused = Array(3).fill("address_not_allowed");
      expect(await attempt(openAccess({ ranges: PUBLIC_ONLY }))).toEqual(refused);
      const ofServer = serverAddress(`http://localhost:${port}`);
      expect(await attempt(openAccess({ server: ofServer }))).toEqual(refused);
      expect(seen).toEqual([]);
      const opened = await attempt(openAccess({ ranges: parseRanges("127.0.0.0/8,::1") }));
      expect((opened as string[]).slice(0, 2)).toEqual(["from the site", "from the site"]);
    });
  });

  it("can make no namespace inside, nor enter one, by any system call", async () => {
    // The numbers are the system calls of x64 that the filter refuses.
    if (isolation.kind !== "bubblewrap" || process.arch !== "x64") return;
    // unshare, clone and clone3 with a new user or mount namespace, and setns into its own namespace.
    const script = `#!/usr/bin/perl
use strict;
my @answers;
sub note { push @answers, $_[0] == -1 ? $! + 0 : "worked"; }
note(syscall(272, $_)) for 0x10000000, 0x20000, 0x40000000;
note(syscall(56, 0x10000000 | 17, 0, 0, 0, 0));
note(syscall(435, pack("Q11", 0x10000000, (0) x 10), 88));
open(my $own, "<", "/proc/self/ns/user") or die;
note(syscall(308, fileno($own), 0));
print "[", join(",", @answers), "]";
`;
    const [EPERM, ENOSYS] = [1, 38];
    expect((await run(script)).result).toEqual([EPERM, EPERM, EPERM, EPERM, ENOSYS, EPERM]);
  });

  describe("granted paths", () => {
    it("are there as granted, read-only or writable, and what is beside them is not", async ({ skip }) => {
      if (isolation.kind === "none") skip(isolation.reason);
      const dir = makeWorkDir();
      chmodSync(dir, 0o755);
      for (const name of ["read", "write", "beside"]) {
        mkdirSync(join(dir, name), { mode: 0o777 });
        writeFileSync(join(dir, name, "file"), name, { mode: 0o666 });
      }
      const terms = RunTerms.parse({
        paths: [
          { path: join(dir, "read", "file"), mode: "ro" },
          { path: join(dir, "write", "file"), mode: "rw" },
        ],
      });
      const outcome = await run(
        shell(
          `cd ${dir}`,
          "echo changed > read/file && a=written",
          "echo changed > write/file && b=written",
          "cat beside/file && c=seen",
          json("$(cat read/file) $a $b $c"),
        ),
        { terms },
      );
      expect(outcome.result).toMatch(/^read {2}(written)? $/);
      expect(readFileSync(join(dir, "read", "file"), "utf8")).toBe("read");
    });
  });

  it("opens a path in an opened path with its own mode, in either order", async ({ skip }) => {
    if (isolation.kind === "none") skip(isolation.reason);
    const dir = makeWorkDir();
    chmodSync(dir, 0o755);
    mkdirSync(join(dir, "in"));
    chmodSync(join(dir, "in"), 0o777);
    const outer = { path: dir, mode: "rw" as const };
    const inner = { path: join(dir, "in"), mode: "ro" as const };
    for (const paths of [
      [outer, inner],
      [inner, outer],
    ]) {
      const script = shell(`echo x 2>/dev/null > ${dir}/in/file && written=yes`, json("$written"));
      const outcome = await run(script, { terms: RunTerms.parse({ paths }) });
      expect(outcome).toMatchObject({ error: null, result: "" });
    }
  });

  describe("what no run sees", () => {
    function makeHost() {
      const dir = makeWorkDir();
      chmodSync(dir, 0o755);
      for (const [name, mode] of [
        ["data", 0o777],
        ["shut/data", 0o777],
        ["open", 0o777],
      ] as const) {
        mkdirSync(join(dir, name), { recursive: true });
        chmodSync(join(dir, name), mode);
        writeFileSync(join(dir, name, "key"), "the key", { mode: 0o666 });
      }
      chmodSync(join(dir, "shut"), 0o700);
      writeFileSync(join(dir, "token"), "the key", { mode: 0o666 });
      const hidden = ["data", "shut/data", "token"].map((name) => join(dir, name));
      return { dir, access: openAccess({ hidden }) };
    }
    const look = (dir: string) =>
      shell(
        `cd ${dir}`,
        "(umount data; umount -l token; mount -o remount,rw data; mount --bind open data) 2>/dev/null >&2",
        "echo mine > data/key; echo mine > data/new; echo mine > token",
        "found=$(cat data/* shut/data/* token /proc/1/root/../data/key 2>/dev/null; ls -A data | tr -d '\\n')",
        json("$found|$(cat open/key)|$(id -u | grep -c -x 0)"),
      );

    it.each([
      ["ro", []],
      ["ro", ["CAP_NET_RAW"]],
      ["ro", [...OPENABLE_CAPABILITIES]],
    ] as const)("is covered below a path that is open %s, with the capabilities %j", async (mode, capabilities) => {
      if (isolation.kind === "none") return;
      const { dir, access } = makeHost();
      const terms = RunTerms.parse({ paths: [{ path: dir, mode }], capabilities });
      const kit = scriptLease(look(dir), { terms });
      const execution = await executeLease(kit, { isolation, access });
      const outcome = await execution.outcome;
      expect(outcome.error).toBeNull();
      expect(outcome.result).toBe("|the key|0");
      for (const name of ["data/key", "shut/data/key", "token"]) {
        expect(readFileSync(join(dir, name), "utf8")).toBe("the key");
      }
    });

    it("nothing of the host's network, with every capability that can be opened", async ({ skip }) => {
      if (isolation.kind === "none") skip(isolation.reason);
      const terms = RunTerms.parse({ capabilities: [...OPENABLE_CAPABILITIES] });
      const script = `#!/usr/bin/python3
import json, socket
try:
    sniffer = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    opened = "raw"
except OSError:
    opened = "none"
try:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)
    opened += " icmp"
except OSError:
    pass
names = sorted(name for _, name in socket.if_nameindex())
print(json.dumps([opened, [name for name in names if name not in ("lo", "sit0", "tunl0", "ip6tnl0")]]))
`;
      expect((await run(script, { terms })).result).toEqual([expect.stringContaining("icmp"), []]);
    });
  });

  describe("limits of a sandboxed run", () => {
    it.each([
      ["memory", "#!/usr/bin/perl\nmy $x = 'a' x 400_000_000; print '1';\n", { memoryBytes: 64 * 1024 ** 2 }],
      ["file size", shell("head -c 9000000 /dev/zero > /tmp/x || exit 9", "echo 1"), { fileBytes: 1024 ** 2 }],
      [
        "processes",
        shell("i=0; while [ $i -lt 80 ]; do sleep 5 & i=$((i+1)); done 2>/dev/null || exit 9", "echo 1"),
        { processes: 20 },
      ],
    ])("%s", async (_name, script, limits) => {
      if (isolation.kind === "none") return;
      const outcome = await run(script, { limits });
      expect(outcome.error).not.toBeNull();
      expect(outcome.result).toBeUndefined();
    });

    it("memory and processes of the run as a whole, where control groups are writable", async ({ skip }) => {
      if (isolation.kind === "none") skip(isolation.reason);
      if (isolation.kind !== "none" && isolation.cgroups === null) skip("control groups are not writable");
      const many = "for my $n (1 .. 12) { next if fork; my $x = 'a' x 15_000_000; sleep 20; exit; }\n";
      const script = `#!/usr/bin/perl\nselect undef, undef, undef, 0.3;\n${many}1 while wait != -1; print '1';\n`;
      const limits = { memoryBytes: 32 * 1024 ** 2, diskBytes: 1024 ** 2, timeoutMs: 3_000 };
      const execution = await executeLease(scriptLease(script, { limits }), { isolation });
      await execution.outcome;
      expect(execution.texts("system").join()).toMatch(/took more than 33 MiB of memory/);
    });

    it("a run over its time is told, then ended with all its processes", async ({ skip }) => {
      if (isolation.kind === "none") skip(isolation.reason);
      const script = shell(
        'trap "echo told >&2; exit 3" TERM',
        "(trap '' TERM; setsid sleep 600) &",
        "while :; do sleep 600 & wait $!; done",
      );
      const execution = await executeLease(scriptLease(script, { limits: { timeoutMs: 500 } }), { isolation });
      const outcome = await execution.outcome;
      expect(outcome).toMatchObject({ timedOut: true, error: { code: "timed_out" } });
      expect(execution.texts("stderr")).toContain("told");
    });

    it("a signal that ends the entry is reported with its name", async ({ skip }) => {
      if (isolation.kind === "none") skip(isolation.reason);
      expect(await run(shell("kill -9 $$"))).toMatchObject({ signal: "SIGKILL", error: { code: "signalled" } });
    });

    it.each([
      ["a missing interpreter", "#!/nowhere/interpreter\n", "/nowhere/interpreter"],
      ["something that is no program", "just text\n", "neither a program"],
    ])("names %s", async (_what, script, message) => {
      if (isolation.kind === "none") return;
      expect((await run(script)).error).toMatchObject({
        code: "spawn_failed",
        message: expect.stringContaining(message),
      });
    });
  });
});
