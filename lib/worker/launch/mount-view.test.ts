import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import { prepareWorkDir, type WorkDir } from "../files/work-dir";

import { removeCgroups } from "../processes/control-groups";
import { type Lease, type LeaseSecret, RunTerms } from "../protocol";
import type { Bubblewrap, SharedRoot } from "../sandbox/isolation";
import { probeBubblewrap } from "../sandbox/probe-isolation";
import { type MountedRun, rootMounts } from "../sandbox/sandbox-command";
import { executeLease } from "../testing/execute-lease";
import { type LeaseKit, makeLease } from "../testing/make-lease";
import { makeWorkDir } from "../testing/make-work-dir";
import { waitUntil } from "../testing/wait-until";
import { createSharedRoot } from "./mount-view";

type Prepared = Bubblewrap & { root: SharedRoot };

const filterDir = mkdtempSync(join(tmpdir(), "filters-"));
let probed: Bubblewrap | string;
let isolation: Bubblewrap;

/** Creates a small host with the system files that a worker reads, so that each test builds its root quickly. */
function makeHost(): string {
  const host = makeWorkDir();
  chmodSync(host, 0o755);
  for (const dir of ["etc", "etc/ssl", "etc/ssl/certs", "etc/ssl/private", "etc/alternatives", "elsewhere"])
    mkdirSync(join(host, dir), { mode: 0o755 });
  chmodSync(join(host, "etc/ssl/private"), 0o710);
  writeFileSync(join(host, "etc/ssl/private/server.key"), "private key", { mode: 0o644 });
  writeFileSync(join(host, "etc/ssl/certs/lone.key"), "private key", { mode: 0o640 });
  writeFileSync(join(host, "etc/ssl/certs/one.pem"), "certificate", { mode: 0o666 });
  symlinkSync("one.pem", join(host, "etc/ssl/certs/two.pem"));
  symlinkSync("/usr/bin/true", join(host, "etc/alternatives/yes"));
  symlinkSync("/usr/share/zoneinfo/Etc/UTC", join(host, "etc/localtime"));
  writeFileSync(join(host, "elsewhere/nsswitch.conf"), "hosts: files");
  symlinkSync(join(host, "elsewhere/nsswitch.conf"), join(host, "etc/nsswitch.conf"));
  writeFileSync(join(host, "etc/passwd"), "not asked for");
  return host;
}

const FILES = ["/etc/ssl", "/etc/alternatives", "/etc/localtime", "/etc/nsswitch.conf"];

async function startWorker(
  source = makeHost(),
  dirs = isolation.system.dirs,
): Promise<{ found: Prepared; workDir: WorkDir }> {
  const path = makeWorkDir();
  chmodSync(path, 0o711);
  const workDir = await prepareWorkDir(path);
  const said: string[] = [];
  const options = { source, tell: (why: string) => void said.push(why) };
  const system = { ...isolation.system, dirs, files: FILES };
  const found = await createSharedRoot({ ...isolation, system }, workDir, options);
  expect(said).toEqual([]);
  return { found: found as Prepared, workDir };
}

function makeKit(script: string, changes: Partial<Lease> = {}): LeaseKit {
  const bytes = Buffer.from(`#!/bin/sh\n${script}\n`);
  const file = { path: "run", mode: "755" as const, sha256: sha256Hex(bytes), size: bytes.length };
  const { lease } = makeLease("echo.sh", { files: [file], entry: "run", ...changes });
  return { lease: { ...lease, versionDigest: digestFiles([file]) }, blobs: new Map([[file.sha256, bytes]]) };
}

/** Returns the JSON that a shell script prints. */
async function run(found: Bubblewrap, script: string, changes: Partial<Lease> = {}): Promise<unknown> {
  const { outcome } = await executeLease(makeKit(script, changes), { isolation: found, env: {} });
  const { error, result } = await outcome;
  expect(error).toBeNull();
  return result;
}

const text = (commands: string) => `printf '"%s"' "$({ ${commands}; } | tr '\\n' ' ')"`;

const usesRoot = (found: Prepared, changes: Partial<MountedRun> = {}) => {
  const { limits } = makeLease("echo.sh").lease;
  const args = rootMounts({ isolation: found, skillDir: "/usr/bin", terms: RunTerms.parse({}), limits, ...changes });
  return args.join(" ").startsWith(`--ro-bind ${found.root.dir} / `);
};

beforeAll(async () => {
  probed = await probeBubblewrap(filterDir);
});
afterAll(() => {
  rmSync(filterDir, { recursive: true, force: true });
  if (typeof probed !== "string" && probed.cgroups) removeCgroups(probed.cgroups);
});
beforeEach(({ skip }) => {
  if (typeof probed === "string") skip(probed);
  else isolation = probed;
});

it("shows a run the copied system files and no other, and the mount points", async () => {
  const { found } = await startWorker();
  expect(usesRoot(found)).toBe(true);
  const etc = "alternatives localtime nsswitch.conf ssl ";
  expect(await run(found, text("ls /etc"))).toBe(etc);
  const own = [...found.system.dirs, ...found.system.links.map(({ path }) => path)].map((path) => path.split("/")[1]);
  const names = [...own, "dev", "etc", "proc", "skill", "skillgate", "tmp"].sort();
  expect(await run(found, text("LC_ALL=C ls -A /"))).toBe(`${names.join(" ")} `);
  expect(await run(found, text("ls -A /skillgate"))).toBe("node start-barrier.cjs ");
  const read = "cat /etc/nsswitch.conf /etc/ssl/certs/two.pem; /etc/alternatives/yes && echo; readlink /etc/localtime";
  expect(await run(found, text(read))).toBe("hosts: filescertificate /usr/share/zoneinfo/Etc/UTC ");
});

it("leaves out files that are not world-readable, in every directory", async () => {
  const { found } = await startWorker();
  const { dir } = found.root;
  expect(readdirSync(join(dir, "etc/ssl"))).toEqual(["certs"]);
  expect(readdirSync(join(dir, "etc/ssl/certs")).sort()).toEqual(["one.pem", "two.pem"]);
  expect(readlinkSync(join(dir, "etc/ssl/certs/two.pem"))).toBe("one.pem");
});

it("shows what a link does not lead to in its place, and mounts a Node that lies elsewhere", async () => {
  // The same directories under names that are not the prefix of any path.
  const { found } = await startWorker(
    makeHost(),
    isolation.system.dirs.map((dir) => `${dir}/.`),
  );
  expect(found.root.hasNode).toBe(false);
  expect(usesRoot(found)).toBe(true);
  const look = "head -c 4 /etc/localtime; test -L /etc/localtime || echo; /skillgate/node -p process.execPath";
  expect(await run({ ...found, system: isolation.system }, text(look))).toBe("TZif /skillgate/node ");
});

it("is readable by every user and writable by its owner alone, also under a strict umask", async () => {
  const host = makeHost();
  const before = process.umask(0o077);
  try {
    const { dir } = (await startWorker(host)).found.root;
    const modes = ["", "etc", "etc/ssl", "skillgate", "proc"].map((path) => statSync(join(dir, path)).mode & 0o7777);
    expect(modes).toEqual([0o755, 0o755, 0o755, 0o755, 0o755]);
    const files = ["etc/ssl/certs/one.pem", "skillgate/start-barrier.cjs"].map(
      (path) => statSync(join(dir, path)).mode & 0o7777,
    );
    expect(files).toEqual([0o444, 0o444]);
  } finally {
    process.umask(before);
  }
});

it("cannot be written, nor can what is mounted in it", async () => {
  const { found } = await startWorker();
  // Opens all permissions, so that only the mount protects these paths.
  for (const path of ["", "etc", "etc/ssl", "etc/ssl/certs", "etc/ssl/certs/one.pem", "skillgate", "proc"])
    chmodSync(join(found.root.dir, path), 0o777);
  found.root.changedMs = statSync(found.root.dir).ctimeMs;
  const places = "/ /etc /etc/ssl/certs /skillgate /usr /skill /proc /dev";
  const write = `for at in ${places}; do { echo x > $at/made || mkdir $at/made; } 2>/dev/null && echo $at; done`;
  const change = "chmod 777 / /etc /skillgate; rm -r /etc/ssl; mv /etc /etd; echo x > /etc/ssl/certs/one.pem";
  expect(await run(found, text(`${write}; { ${change}; } 2>/dev/null; ls / | grep etc`))).toBe("etc ");
  expect(readdirSync(join(found.root.dir, "etc/ssl/certs")).sort()).toEqual(["one.pem", "two.pem"]);
  expect(readFileSync(join(found.root.dir, "etc/ssl/certs/one.pem"), "utf8")).toBe("certificate");
  expect(readdirSync(found.root.dir)).not.toContain("etd");
  const mounts = await run(found, text("cut -d ' ' -f 5,6 /proc/self/mountinfo"));
  expect(mounts).toMatch(/^\/ ro,nosuid,nodev,/);
});

it("is not what a run has that mounts more than it has places for", async () => {
  const { found } = await startWorker();
  const dir = makeWorkDir();
  chmodSync(dir, 0o755);
  writeFileSync(join(dir, "given"), "given", { mode: 0o644 });
  const paths = RunTerms.parse({ paths: [{ path: join(dir, "given"), mode: "ro" }] });
  expect(await run(found, text(`cat ${dir}/given`), { terms: paths })).toBe("given");
  const network = RunTerms.parse({ namespaces: ["net"] });
  expect(await run(found, text("cat /etc/hosts | wc -l"), { terms: network })).toMatch(/^[1-9]/);
  const secret = { as: "file", name: "token", value: "value" } as LeaseSecret;
  expect(await run(found, text("cat /run/secrets/token"), { secrets: [secret] })).toBe("value");
  const write = text("echo kept > /workspace/file; cat /workspace/file");
  expect(await run(found, write, { workspace: "session" })).toBe("kept ");
  const net = RunTerms.parse({ namespaces: ["net"] });
  const capable = RunTerms.parse({ capabilities: ["CAP_CHOWN"] });
  const others: Partial<MountedRun>[] = [
    ...[network, net, capable].map((terms) => ({ terms })),
    { paths: [{ path: dir, real: dir, mode: "ro" }] },
    { secrets: [secret] },
    { workspaceDir: dir },
  ];
  expect(others.map((changes) => usesRoot(found, changes))).toEqual(others.map(() => false));
  expect(usesRoot(found, { terms: RunTerms.parse({ hosts: ["example.org"] }) })).toBe(true);
});

it("is used no more when a part of it was cleared away", async () => {
  const { found } = await startWorker();
  rmSync(join(found.root.dir, "proc"), { recursive: true });
  expect(usesRoot(found)).toBe(false);
  expect(await run(found, text("echo fine"))).toBe("fine ");
});

it("is not there when it cannot be made or does not work, and says so", async () => {
  const workDir = await prepareWorkDir(makeWorkDir());
  const said: string[] = [];
  const tell = (why: string) => void said.push(why);
  const system = { ...isolation.system, files: ["/etc/nowhere"] };
  expect(await createSharedRoot({ ...isolation, system }, workDir, { tell })).toMatchObject({ root: null });
  const broken = { ...isolation, system: { ...isolation.system, files: FILES }, program: "/usr/bin/false" };
  expect(await createSharedRoot(broken, workDir, { tell, source: makeHost() })).toMatchObject({ root: null });
  expect(said).toEqual([expect.stringContaining("ENOENT"), expect.stringContaining("ended with code 1")]);
});

it("is another one at each start, and no other worker's start disturbs a run", async () => {
  const [first, second] = [await startWorker(), await startWorker()];
  const { workDir } = first;
  const found = { ...first.found, store: null };
  expect(found.root.dir.startsWith(workDir.skillsDir)).toBe(true);
  const kit = makeKit(
    `echo ready >&2; until [ -e /skill/go ]; do :; done; ${text("ls /etc/ssl; ls -d /usr /proc/self")}`,
  );
  const going = await executeLease(kit, { isolation: found, workDir, env: {} });
  await waitUntil("the run", () => going.texts("stderr").includes("ready"));
  const former = second.found.root.dir;
  await prepareWorkDir(second.workDir.path);
  const third = await createSharedRoot(second.found, second.workDir, { source: makeHost() });
  expect([existsSync(former), third.root?.dir === former]).toEqual([false, false]);
  expect(await run(third, text("ls /etc/ssl"))).toBe("certs ");
  const skillDir = join(workDir.skillsDir, kit.lease.versionDigest);
  chmodSync(skillDir, 0o755);
  writeFileSync(join(skillDir, "go"), "");
  expect((await going.outcome).result).toBe("certs /proc/self /usr ");
});
