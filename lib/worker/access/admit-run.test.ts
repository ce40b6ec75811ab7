import { chmodSync, chownSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RunTerms } from "../protocol";
import type { Isolation } from "../sandbox/isolation";
import { makeWorkDir } from "../testing/make-work-dir";
import { closedAccess, openAccess } from "../testing/open-access";
import { admitRun } from "./admit-run";
import type { HostAccess } from "./host-access";
import { serverAddress } from "./server-address";

const DIGEST = "a".repeat(64);
// Only the kind of isolation matters here.
const UIDS = { first: 60_000, count: 64 };
const BOXED = { kind: "unshare", uids: UIDS } as Isolation;
const NONE: Isolation = { kind: "none", reason: "a test" };

type Wish = { terms?: Partial<RunTerms>; env?: string[] };

function admit({ terms = {}, env = [] }: Wish, access: HostAccess, isolation = BOXED) {
  const said: string[] = [];
  const lease = { versionDigest: DIGEST, env, terms: RunTerms.parse(terms) };
  const emit = (_stream: string, text: string) => void said.push(text);
  return admitRun(lease, { isolation, access, emit }).then((admitted) => ({ ...admitted, said }));
}

const refused = (message: string) => ({ code: "worker_does_not_allow", message: expect.stringContaining(message) });
const ro = (path: string) => ({ path, mode: "ro" as const });

describe("a worker whose operator opened nothing", () => {
  const closed = closedAccess("edge", "http://192.0.2.1:9");

  it.each<[Wish, string]>([
    [{ terms: { paths: [ro("/etc")] } }, "the path /etc (SKILLGATE_WORKER_PATHS)"],
    [{ terms: { paths: [ro("/no/such")] } }, "the path /no/such (SKILLGATE_WORKER_PATHS)"],
    [{ env: ["HOME"] }, "the environment variable HOME (SKILLGATE_WORKER_ENV)"],
    [{ terms: { capabilities: ["CAP_NET_RAW"] } }, "CAP_NET_RAW (SKILLGATE_WORKER_LINUX_CAPABILITIES)"],
    [{ terms: { capabilities: ["CAP_DAC_READ_SEARCH"] } }, "CAP_DAC_READ_SEARCH, which no setting allows"],
    [{ terms: { namespaces: ["net"] } }, "net namespace (SKILLGATE_WORKER_NAMESPACES)"],
    [{ terms: { namespaces: ["pid"] } }, "pid namespace (SKILLGATE_WORKER_NAMESPACES)"],
    [{ terms: { network: true } }, "cannot give a run a network of its own"],
    [{ terms: { hosts: ["example.org"] } }, "cannot give a run a network of its own"],
  ])("refuses %j by itself, even if the lease grants it", async (wish, message) => {
    await expect(admit(wish, closed)).rejects.toMatchObject(refused(message));
    await expect(admit(wish, closed)).rejects.toMatchObject(refused("The worker “edge” does not allow"));
  });

  it("gives harmless variables, and nothing else", async () => {
    expect(await admit({ env: ["PATH", "LC_ALL", "TZ"] }, closed)).toMatchObject({ paths: [], proxy: null, env: {} });
  });
});

describe("an isolation that hides nothing of the host", () => {
  it.each<Partial<RunTerms>>([
    { paths: [ro("/etc")] },
    { hosts: ["example.org"] },
    { network: true },
    { namespaces: ["net"] },
    { capabilities: ["CAP_NET_RAW"] },
  ])("opens nothing of it: %j", async (terms) => {
    await expect(admit({ terms }, openAccess(), NONE)).rejects.toMatchObject(refused("cannot hide any part of it"));
  });
});

describe("paths", () => {
  it("lie in a folder of the operator's, and lead through no link that could be changed before they are mounted", async () => {
    const dir = realpathSync(makeWorkDir());
    mkdirSync(join(dir, "open"));
    mkdirSync(join(dir, "closed"));
    writeFileSync(join(dir, "open", "file"), "");
    symlinkSync(join(dir, "closed"), join(dir, "open", "out"));
    symlinkSync(join(dir, "open", "file"), join(dir, "open", "in"));
    const access = openAccess({ allows: { ...openAccess().allows, paths: [join(dir, "open")] } });
    const ask = (...names: string[]) => admit({ terms: { paths: [ro(join(dir, ...names))] } }, access);
    const file = join(dir, "open", "file");
    expect((await ask("open", "file")).paths).toEqual([{ path: file, real: file, mode: "ro" }]);
    await expect(ask("open", "in")).rejects.toMatchObject(refused(`leads to ${file} through a link`));
    await expect(ask("open", "out")).rejects.toMatchObject(refused("through a link"));
    await expect(ask("closed")).rejects.toMatchObject(refused("SKILLGATE_WORKER_PATHS"));
  });

  it("never lie in what is hidden, reached by a link or not, and hidden places in them are covered", async () => {
    const dir = makeWorkDir();
    mkdirSync(join(dir, "data", "keys"), { recursive: true });
    writeFileSync(join(dir, "token"), "");
    symlinkSync(join(dir, "data"), join(dir, "link"));
    const access = openAccess({ hidden: [join(dir, "link"), join(dir, "token"), join(dir, "absent")] });
    for (const path of [join(dir, "data"), join(dir, "link", "keys"), join(dir, "token")]) {
      await expect(admit({ terms: { paths: [ro(path)] } }, access)).rejects.toMatchObject(refused(path));
    }
    const { hidden } = await admit({ terms: { paths: [ro(dir)] } }, access);
    expect(hidden.map(({ path }) => path)).toEqual(expect.arrayContaining([join(dir, "data"), join(dir, "token")]));
  });

  it("are not given for writing where something hidden lies in them: a run could move the folders above it away", async () => {
    const dir = makeWorkDir();
    mkdirSync(join(dir, "app", "data"), { recursive: true });
    mkdirSync(join(dir, "other"));
    const access = openAccess({ hidden: [join(dir, "app", "data")] });
    const rw = (path: string) => ({ terms: { paths: [{ path, mode: "rw" as const }] } });
    for (const path of [dir, join(dir, "app")]) {
      await expect(admit(rw(path), access)).rejects.toMatchObject(refused(`the path ${path} for writing`));
    }
    expect((await admit(rw(join(dir, "other")), access)).paths).toHaveLength(1);
  });

  it("are refused below a folder that runs can change, and over the files of runs", async () => {
    const dir = realpathSync(makeWorkDir());
    for (const name of ["open/sub", "loose/sub", "sticky/ours", "sticky/theirs", "owned/sub", "link-to"]) {
      mkdirSync(join(dir, name), { recursive: true });
    }
    chmodSync(join(dir, "loose"), 0o777);
    chmodSync(join(dir, "sticky"), 0o1777);
    // Permissions as an access control list shows them when it lets runs write.
    mkdirSync(join(dir, "listed", "sub"), { recursive: true });
    chmodSync(join(dir, "listed"), 0o775);
    for (const name of ["sticky/theirs", "owned"]) chownSync(join(dir, name), UIDS.first, UIDS.first);
    symlinkSync(join(dir, "open"), join(dir, "loose", "link"));
    const access = openAccess({ allows: { ...openAccess().allows, paths: [dir] } });
    const ask = (name: string) => admit({ terms: { paths: [ro(join(dir, name))] } }, access);
    for (const name of ["loose/sub", "sticky/theirs", "owned/sub", "listed/sub"]) {
      await expect(ask(name)).rejects.toMatchObject(refused("runs can write to"));
    }
    await expect(ask("loose/link/sub")).rejects.toMatchObject(refused("through a link"));
    for (const name of ["open/sub", "loose", "sticky/ours", "owned"]) expect((await ask(name)).paths).toHaveLength(1);
    const own = admit({ terms: { paths: [ro("/dev/null")] } }, openAccess());
    await expect(own).rejects.toMatchObject(refused("runs have files of their own"));
  });

  it.each(["/", "/proc", "/proc/self/root/etc", "/proc/1/environ", "/sys/kernel", "/dev/../proc"])(
    "never show the kernel's file systems or all of the host: %s",
    async (path) => {
      const terms = { paths: [ro(path)] };
      const leads = realOr(path);
      if (/^\/(proc|sys)(\/|$)/.test(leads) || path.startsWith("/proc") || leads === "/") {
        await expect(admit({ terms }, openAccess())).rejects.toMatchObject(refused("does not allow the path"));
      } else await expect(admit({ terms }, openAccess())).rejects.toMatchObject(refused("through a link"));
    },
  );

  it("that do not exist are left out, and the run is told", async () => {
    const { paths, said } = await admit({ terms: { paths: [ro("/no/such")] } }, openAccess());
    expect([paths, said]).toEqual([[], [expect.stringContaining("There is no /no/such")]]);
  });
});

function realOr(path: string): string {
  return realpathSync.native(path);
}

describe("the host's network", () => {
  const terms = { namespaces: ["net"] };

  it.each(["http://127.0.0.1:3000", "http://localhost:3000", "http://[::1]:3000", "http://no-such.invalid:3000"])(
    "is given to no skill where the server may be on this host: %s",
    async (url) => {
      const resolve = async (host: string) => (host === "localhost" ? ["127.0.0.1"] : []);
      const access = openAccess({ server: serverAddress(url, resolve) });
      await expect(admit({ terms }, access)).rejects.toMatchObject(refused("the server runs on this host"));
    },
  );

  it("is given where the server is elsewhere", async () => {
    expect(await admit({ terms }, openAccess())).toMatchObject({ proxy: null, env: {} });
  });
});

describe("a built-in of the release", () => {
  const server = serverAddress("http://127.0.0.1:3000");
  const release = new Map([[DIGEST, { namespaces: ["net" as const], paths: [ro("/etc")], env: ["TOKEN"] }]]);
  const closed = { ...closedAccess("edge", "http://127.0.0.1:3000"), server, release };

  it("has what its release gives it, and is told which addresses the operator opened", async () => {
    const wish = { terms: { namespaces: ["net"], paths: [ro("/etc")] }, env: ["TOKEN"] };
    expect(await admit(wish, closed)).toMatchObject({
      paths: [{ path: "/etc", real: "/etc" }],
      env: { SKILLGATE_RUN_RANGES: "", SKILLGATE_RUN_DENIED: ":3000" },
    });
    expect((await admit({ terms: { paths: [ro("/etc")] } }, closed)).env).toEqual({});
  });

  it.each<Wish>([
    { terms: { paths: [{ path: "/etc", mode: "rw" }] } },
    { terms: { paths: [ro("/etc"), ro("/var")] } },
    { terms: { namespaces: ["pid"] } },
    { terms: { capabilities: ["CAP_NET_RAW"] } },
    { env: ["TOKEN", "HOME"] },
  ])("is a skill like any other with more than that: %j", async (wish) => {
    await expect(admit(wish, closed)).rejects.toMatchObject(refused("does not allow"));
  });

  it("needs the operator for the sockets that steer services", async () => {
    const steers = new Map([[DIGEST, { paths: [{ path: "/run/systemd", mode: "rw" as const }] }]]);
    const wish = { terms: { paths: [{ path: "/run/systemd", mode: "rw" as const }] } };
    const access = { ...closed, release: steers };
    await expect(admit(wish, access)).rejects.toMatchObject(refused("/run/systemd (SKILLGATE_WORKER_PATHS)"));
  });
});
