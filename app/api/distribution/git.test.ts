import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { processStore } from "@/lib/core/process-store";
import { Marketplace } from "@/lib/distribution/schema";
import { decideVersion } from "@/lib/review/decide-version";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { updateSkill } from "@/lib/skills/edit-skills";
import * as git from "./git/[scope]/[...path]/route";
import * as gitMine from "./git-mine/[...path]/route";
import * as marketplace from "./marketplace/[scope]/route";
import { distributionWorld } from "./testing/distribution-world";
import { listen } from "./testing/listen";

const { ask, person, admin, publish, database, call } = await distributionWorld([
  ["/api/distribution/git/[scope]/[...path]", git],
  ["/api/distribution/git-mine/[...path]", gitMine],
  ["/api/distribution/marketplace/[scope]", { ...marketplace, HEAD: marketplace.GET }],
]);
const address = await listen(ask);
process.env.PUBLIC_URL = address;
const acme = await person();

const folder = mkdtempSync(join(tmpdir(), "skillgate-git-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };
const run = async (cwd: string, ...args: string[]) =>
  (await promisify(execFile)("git", args, { cwd, env: env as unknown as NodeJS.ProcessEnv })).stdout.trim();
let clones = 0;
const clone = async (url: string, ...args: string[]) => {
  clones += 1;
  const into = join(folder, `clone-${clones}`);
  await run(folder, "clone", "-q", ...args, url, into);
  return into;
};
const failure = (work: Promise<unknown>) =>
  work.then(
    () => "nothing failed",
    (error: { stderr?: string }) => error.stderr ?? "",
  );
const catalog = `${address}/git/catalog.git`;
const md = (name: string, more = "") => `---\nname: ${name}\ndescription: Does ${name}.\n---\n# ${name}\n${more}`;
/** Clears the state of the process, as a restart does. */
const forgetFiles = async () => processStore("distribution-archives", () => new Map()).clear();
const ODD = "an odd name é.txt";
const pack = (name: string, more = "") =>
  skillFiles({ "SKILL.md": md(name, more), "scripts/run.sh*": "#!/bin/sh\n", [ODD]: "x" });
const plugins = async (path = "/marketplace.json") =>
  Marketplace.parse(await (await ask(path)).json()).plugins.map(({ name, version }) => [name, version]);

test("an empty catalog can be cloned", async () => {
  const into = await clone(catalog);
  expect(readdirSync(into).sort()).toEqual([
    ".agents",
    ".claude-plugin",
    ".git",
    ".gitattributes",
    "README.md",
    "skills.sh.json",
  ]);
});

test.each([
  ["0", []],
  ["1", []],
  ["2", []],
  ["2", ["--depth", "1"]],
  ["0", ["--depth", "1"]],
  ["2", ["--filter=blob:none"]],
  ["0", ["--filter=blob:none"]],
])("protocol %s with %j gives the approved files, with their exec bits, as one commit", async (version, args) => {
  const name = `pdf-${clones}`;
  await publish(acme, { name, files: pack(name) });
  const into = await clone(catalog, "-c", `protocol.version=${version}`, ...args);
  expect(readFileSync(join(into, "skills", name, "SKILL.md"), "utf8")).toBe(md(name));
  expect(readFileSync(join(into, "skills", name, ODD), "utf8")).toBe("x");
  expect(statSync(join(into, "skills", name, "scripts/run.sh")).mode & 0o111).toBe(0o111);
  expect(statSync(join(into, "skills", name, "SKILL.md")).mode & 0o111).toBe(0);
  expect(await run(into, "rev-list", "--all", "--count")).toBe("1");
  expect(await run(into, "ls-remote")).toMatch(/^[0-9a-f]{40}\tHEAD\n[0-9a-f]{40}\trefs\/heads\/main$/);
  expect(await run(into, "fsck", "--strict")).toBe("");
});

test("what is revoked is gone with the next fetch, and its commit cannot be asked for any more", async () => {
  await publish(acme, { name: "stays", files: pack("stays") });
  const before = await run(folder, "ls-remote", catalog, "main");
  const bad = await publish(acme, { name: "goes", files: pack("goes") });
  const into = await clone(catalog);
  const old = await run(into, "rev-parse", "HEAD");
  expect(readdirSync(join(into, "skills"))).toContain("goes");
  const blob = await run(into, "rev-parse", "HEAD:skills/goes/SKILL.md");

  await decideVersion(admin.ctx, bad.id, bad.digest, { decision: "revoke", comment: "It steals." });
  await run(into, "fetch", "-q", "origin", "+main:refs/remotes/origin/main");
  expect(await run(into, "ls-tree", "--name-only", "origin/main", "skills/")).not.toContain("skills/goes");
  for (const version of ["0", "2"]) {
    for (const wanted of [old, blob, "1".repeat(40)]) {
      const fresh = join(folder, `fresh-${version}-${wanted}`);
      await run(folder, "init", "-q", fresh);
      const said = await failure(run(fresh, "-c", `protocol.version=${version}`, "fetch", "-q", catalog, wanted));
      expect(said).toMatch(/not our ref|unadvertised object|expected/);
    }
  }
  // The same content gives the same commit again, regardless of the commits in between.
  expect(await run(folder, "ls-remote", catalog, "main")).toBe(before);
});

test("what is revoked answers 410 where an address names it, below a capability URL too", async () => {
  const by = await person();
  const bad = await publish(by, { name: "bad-one", files: pack("bad-one") });
  const made = await call("POST", "/api/capability-urls", { token: by.token, json: { name: "laptop" } });
  const base = new URL(((await made.json()) as { url: string }).url).pathname;
  const pinned = `/s/${bad.handle}/bad-one@${bad.digest}`;
  const paths = [
    `${pinned}/marketplace.json`,
    `${pinned}/git/catalog.git/info/refs?service=git-upload-pack`,
    `/s/${bad.handle}/bad-one/marketplace.json`,
    `${base}/a/bad-one/${bad.digest}.zip`,
    `${base}/a/bad-one/${bad.digest}/SKILL.md`,
  ];
  const statuses = () => Promise.all(paths.map(async (path) => (await ask(path)).status));
  expect(await statuses()).toEqual(paths.map(() => 200));
  await decideVersion(admin.ctx, bad.id, bad.digest, { decision: "revoke", comment: "It steals." });
  expect(await statuses()).toEqual(paths.map(() => 410));
});

type Listed = { name: string; source: unknown };
const pinOf = async (name: string, path = "/marketplace.json") => {
  const { plugins } = (await (await ask(path)).json()) as { plugins: Listed[] };
  const { source } = plugins.find((plugin) => plugin.name === name) ?? { source: undefined };
  return Pin.parse(source);
};
const Pin = z.object({ url: z.string(), path: z.string(), sha: z.string().regex(/^[0-9a-f]{40}$/) });
/** Fetches a pin as clients do: an empty repository, one commit, no branch. */
const fetchPin = async ({ url, path, sha }: z.infer<typeof Pin>, version = "2", ...args: string[]) => {
  const into = mkdtempSync(join(folder, "pin-"));
  await run(into, "init", "-q");
  await run(into, "-c", `protocol.version=${version}`, "fetch", "-q", "--depth", "1", ...args, url, sha);
  await run(into, "-c", `protocol.version=${version}`, "checkout", "-q", sha);
  return readFileSync(join(into, path, "SKILL.md"), "utf8");
};

test.each(["0", "1", "2"])(
  "protocol %s: a plugin’s commit can be fetched as long as its version is approved",
  async (protocol) => {
    const [alpha, beta] = [`alpha-${protocol}`, `beta-${protocol}`];
    const a = await publish(acme, { name: alpha, files: pack(alpha) });
    const old = await pinOf(alpha);
    expect(await fetchPin(old, protocol)).toBe(md(alpha));
    // Neither another skill nor a next version of the same skill changes the pin.
    const b = await publish(acme, { name: beta, files: pack(beta) });
    expect(await pinOf(alpha)).toEqual(old);
    expect(await fetchPin(old, protocol)).toBe(md(alpha));
    const second = await publish(acme, { name: alpha, files: pack(alpha, "More.\n") });
    const fresh = await pinOf(alpha);
    expect(fresh.sha).not.toBe(old.sha);
    expect(await fetchPin(old, protocol)).toBe(md(alpha));
    expect(await fetchPin(fresh, protocol)).toBe(md(alpha, "More.\n"));
    // A restarted process makes the same commits.
    processStore("git-snapshots", () => new Map()).clear();
    expect([await pinOf(alpha), await fetchPin(old, protocol)]).toEqual([fresh, md(alpha)]);

    await decideVersion(admin.ctx, a.id, a.digest, { decision: "revoke", comment: "No." });
    expect(await failure(fetchPin(old, protocol))).toMatch(/not our ref|unadvertised object|expected/);
    expect(await fetchPin(fresh, protocol)).toBe(md(alpha, "More.\n"));
    const other = await pinOf(beta);
    await updateSkill(admin.ctx, b.id, { enabled: false });
    expect(await failure(fetchPin(other, protocol))).toMatch(/not our ref|unadvertised object|expected/);
    // No version is active any more, so the newest pin cannot be fetched.
    await decideVersion(admin.ctx, second.id, second.digest, { decision: "revoke", comment: "No." });
    expect(await failure(fetchPin(fresh, protocol))).toMatch(/not our ref|unadvertised object|expected/);
  },
);

test("a pinned commit holds its skill alone, at a time that never changes, and without blobs where a client asks so", async () => {
  await publish(acme, { name: "lone", files: pack("lone") });
  const pin = await pinOf("lone");
  const into = await clone(catalog, "--no-checkout", "--filter=blob:none", "--depth", "1");
  await run(into, "fetch", "-q", "--depth", "1", "--filter=blob:none", "origin", pin.sha);
  await run(into, "sparse-checkout", "set", pin.path);
  await run(into, "checkout", "-q", pin.sha);
  expect(readFileSync(join(into, "skills/lone/SKILL.md"), "utf8")).toBe(md("lone"));
  expect(statSync(join(into, "skills/lone/scripts/run.sh")).mode & 0o111).toBe(0o111);
  expect(
    (await run(into, "-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", pin.sha))
      .split("\n")
      .map((path) => path.split("/")[0]),
  ).toEqual([".gitattributes", "skills", "skills", "skills"]);
  const { createdAt } = await database.reader.version.findFirstOrThrow({ where: { skill: { slug: "lone" } } });
  expect(await run(into, "show", "-s", "--format=%an %at %ct %P", pin.sha)).toBe(
    `Skillgate ${Math.floor(createdAt.getTime() / 1000)} ${Math.floor(createdAt.getTime() / 1000)}`,
  );
});

test("approving another skill of the same name takes no pin away", async () => {
  await publish(acme, { name: "twins", files: pack("twins") });
  const pin = await pinOf("twins");
  await publish(admin, { name: "twins", files: pack("twins", "Of the organisation.\n"), owner: "org" });
  expect((await pinOf("twins")).sha).not.toBe(pin.sha);
  expect(await fetchPin(pin)).toBe(md("twins"));
});

test("one changed file leaves its skill out, and nothing else", async () => {
  const bent = await publish(acme, { name: "bent", files: pack("bent") });
  await publish(acme, { name: "straight", files: pack("straight") });
  // The archive that the index made is kept.
  await plugins();
  const { sha256 } = await database.reader.versionFile.findFirstOrThrow({
    where: { path: "SKILL.md", version: { skillId: bent.id } },
  });
  await publish(acme, { name: "newest", files: pack("newest") });
  await forgetFiles();
  await database.writer.blob.update({ where: { sha256 }, data: { bytes: new TextEncoder().encode("other") } });
  for (let turn = 0; turn < 2; turn += 1) {
    const names = (await plugins()).map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(["newest", "straight"]));
    expect(names).not.toContain("bent");
    const skills = readdirSync(join(await clone(catalog), "skills"));
    expect(skills).toContain("straight");
    expect(skills).not.toContain("bent");
  }
});

test("a revoked version that is put back in the database is in no repository, and costs the others nothing", async () => {
  const bad = await publish(acme, { name: "zombie", files: pack("zombie") });
  await publish(acme, { name: "living", files: pack("living") });
  const pin = await pinOf("zombie");
  const [before, skill] = [
    await database.reader.version.findFirstOrThrow({ where: { skillId: bad.id }, include: { decisions: true } }),
    await database.reader.skill.findUniqueOrThrow({ where: { id: bad.id } }),
  ];
  await decideVersion(admin.ctx, bad.id, bad.digest, { decision: "revoke", comment: "No." });
  const { decisions, ...version } = before;
  await database.writer.version.update({ where: { id: version.id }, data: { state: "approved" } });
  for (const { id, standing } of decisions)
    await database.writer.decision.update({ where: { id }, data: { standing } });
  await database.writer.skill.update({ where: { id: bad.id }, data: { currentId: skill.currentId, enabled: true } });
  const names = (await plugins()).map(([name]) => name);
  expect(names).toContain("living");
  expect(names).not.toContain("zombie");
  expect(await failure(fetchPin(pin))).toMatch(/not our ref|unadvertised object|expected/);
});

test("old repositories do not stay on the disk", async () => {
  const root = join(database.keyFolder, "git-snapshots");
  await run(folder, "ls-remote", catalog);
  const before = readdirSync(root);
  // A new name for each retry of this test.
  const name = `one-more-${process.hrtime.bigint()}`;
  await publish(acme, { name, files: pack(name) });
  await run(folder, "ls-remote", catalog);
  // The address gets a new repository that replaces its old one; other addresses keep theirs.
  await vi.waitFor(() => {
    const after = readdirSync(root);
    expect(after).toHaveLength(before.length);
    expect(after).not.toEqual(before);
  });
});

test("who pushes, reads files one by one or sends something else is refused", async () => {
  const into = await clone(catalog);
  await run(into, "-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "-q", "--allow-empty", "-m", "mine");
  expect(await failure(run(into, "push", "-q", "origin", "HEAD:main"))).toContain("403");
  expect(await failure(run(into, "push", "-q", "origin", "HEAD:refs/heads/other"))).toContain("403");
  const get = async (path: string) => (await ask(`/git/catalog.git/${path}`)).status;
  expect(await get("info/refs")).toBe(403);
  expect(await get("HEAD")).toBe(403);
  expect(await get("objects/info/packs")).toBe(403);
  expect(await get("info/refs?service=git-receive-pack")).toBe(403);
  expect(await get("config")).toBe(404);
  const fetched = (headers: Record<string, string>, body: string | Buffer) =>
    ask("/git/catalog.git/git-upload-pack", { method: "POST", headers, body: new Uint8Array(Buffer.from(body)) });
  const type = { "content-type": "application/x-git-upload-pack-request" };
  const refused = await fetched({ "content-type": "text/plain" }, "0000");
  expect([refused.status, refused.headers.get("content-type")]).toEqual([415, "text/plain; charset=utf-8"]);
  expect((await fetched({ ...type, "content-encoding": "br" }, "0000")).status).toBe(415);
  expect((await fetched({ ...type, "content-encoding": "gzip" }, "0000")).status).toBe(400);
  const bomb = gzipSync(Buffer.alloc(9 * 1024 * 1024));
  expect((await fetched({ ...type, "content-encoding": "gzip" }, bomb)).status).toBe(413);
  const odd = await ask("/git/catalog.git/info/refs?service=git-upload-pack", {
    headers: { "git-protocol": "version=2;LD_PRELOAD=/tmp/x" },
  });
  expect(await odd.text()).toContain("# service=git-upload-pack");
});

test("a packed body is read", async () => {
  const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, "0")}${text}`;
  const body = gzipSync(`${line("command=ls-refs\n")}0001${line("ref-prefix refs/heads/main\n")}0000`);
  const answer = await ask("/git/catalog.git/git-upload-pack", {
    method: "POST",
    headers: {
      "content-type": "application/x-git-upload-pack-request",
      "content-encoding": "gzip",
      "git-protocol": "version=2",
    },
    body: new Uint8Array(body),
  });
  expect(answer.headers.get("content-type")).toBe("application/x-git-upload-pack-result");
  expect(await answer.text()).toMatch(/^003d[0-9a-f]{40} refs\/heads\/main\n0000$/);
});

test("a token sees what its person sees, by header, password or capability URL; other callers do not", async () => {
  const mine = await person();
  await publish(mine, { name: "my-own", files: pack("my-own"), visibility: "private" });
  const names = async (into: string) => readdirSync(join(into, "skills"));
  expect(await names(await clone(catalog))).not.toContain("my-own");
  expect(await names(await clone(catalog, "-c", `http.extraHeader=Authorization: Bearer ${mine.token}`))).toContain(
    "my-own",
  );
  const asked = `${address.replace("://", `://me:${mine.token}@`)}/git/mine.git`;
  expect(await names(await clone(asked))).toContain("my-own");
  expect(await failure(clone(`${address}/git/mine.git`))).toMatch(/could not read Username|terminal prompts disabled/);
  const wrong = await ask("/git/mine.git/info/refs?service=git-upload-pack", {
    headers: { authorization: `Basic ${Buffer.from(`me:sgt_${"x".repeat(43)}`).toString("base64")}` },
  });
  expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([
    401,
    'Basic realm="Skillgate", charset="UTF-8"',
  ]);

  const made = await call("POST", "/api/capability-urls", {
    token: mine.token,
    json: { name: "laptop", scope: { kind: "root" }, expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
  });
  const { id, url } = (await made.json()) as { id: string; url: string };
  const base = new URL(url).pathname.replace(/\/$/, "");
  expect(await names(await clone(`${address}${base}/git/catalog.git`))).toContain("my-own");
  const [listed] = Marketplace.parse(await (await ask(`${base}/marketplace.json`)).json()).plugins;
  expect(listed?.source).toMatchObject({ url: `${address}${base}/git/catalog.git` });
  await call("DELETE", `/api/capability-urls/${id}`, { token: mine.token });
  expect(await failure(clone(`${address}${base}/git/catalog.git`))).toContain("410");
});

test("the marketplace pins each plugin to a commit of its version", async () => {
  await publish(acme, { name: "pinned", files: pack("pinned") });
  const answer = await ask("/marketplace.json", { headers: { host: "evil.example" } });
  const { name, plugins: listed } = Marketplace.parse(await answer.json());
  expect(name).toBe("skillgate");
  const { source, ...rest } = listed.find((plugin) => plugin.name === "pinned") ?? { source: "" };
  expect(rest).toMatchObject({ strict: false, skills: ["./"], version: "1.0.0" });
  const { sha } = Pin.parse(source);
  expect(source).toEqual({ source: "git-subdir", url: catalog, path: "skills/pinned", ref: "main", sha });
  expect(await fetchPin(Pin.parse(source))).toBe(md("pinned"));
  const again = await ask("/marketplace.json", { headers: { "if-none-match": answer.headers.get("etag") ?? "" } });
  expect(again.status).toBe(304);
  const into = await clone(catalog);
  const own = Marketplace.parse(JSON.parse(readFileSync(join(into, ".claude-plugin/marketplace.json"), "utf8")));
  expect(own.plugins.find((plugin) => plugin.name === "pinned")?.source).toBe("./skills/pinned");
  expect(readFileSync(join(into, ".agents/plugins/marketplace.json"), "utf8")).not.toContain("http");
});

test("each approval gives a plugin another version, and a skill that is switched off leaves", async () => {
  const first = await publish(acme, { name: "grows", files: pack("grows") });
  expect(await plugins()).toContainEqual(["grows", "1.0.0"]);
  await publish(acme, { name: "grows", files: pack("grows", "More.\n") });
  expect(await plugins()).toContainEqual(["grows", "1.1.0"]);
  await updateSkill(admin.ctx, first.id, { enabled: false });
  expect((await plugins()).map(([name]) => name)).not.toContain("grows");
});

test("a publisher’s marketplace has a name of its own, and a scope that is not there is 404", async () => {
  const other = await person();
  const { handle } = await publish(other, { name: "theirs", files: pack("theirs") });
  const body = Marketplace.parse(await (await ask(`/p/${handle}/marketplace.json`)).json());
  expect([body.name, body.plugins.map(({ name }) => name)]).toEqual([`skillgate-${handle}`, ["theirs"]]);
  expect(body.plugins[0]?.source).toMatchObject({ url: `${address}/p/${handle}/git/catalog.git` });
  const into = await clone(`${address}/p/${handle}/git/catalog.git`);
  expect(readdirSync(join(into, "skills"))).toEqual(["theirs"]);
  expect((await ask("/p/nobody-here/marketplace.json")).status).toBe(404);
  expect((await ask("/c/none/git/catalog.git/info/refs?service=git-upload-pack")).status).toBe(404);
});

test("many clones at the same time are all served", async () => {
  const heads = await Promise.all(Array.from({ length: 20 }, () => run(folder, "ls-remote", catalog, "main")));
  expect(new Set(heads).size).toBe(1);
});

test("a commit is what git makes of its content, dated by the newest decision", async () => {
  const into = await clone(catalog);
  const commit = `${await run(into, "cat-file", "commit", "HEAD")}\n`;
  const newest = await database.reader.version.findFirst({
    where: { state: "approved", skill: { enabled: true, visibility: "public" } },
    orderBy: { decidedAt: "desc" },
  });
  const seconds = Math.floor((newest?.decidedAt?.getTime() ?? 0) / 1000);
  expect(commit).toContain(`committer Skillgate <skillgate@localhost> ${seconds} +0000`);
  expect(commit).not.toContain("parent ");
  const sha = createHash("sha1").update(`commit ${commit.length}\0${commit}`).digest("hex");
  expect(sha).toBe(await run(into, "rev-parse", "HEAD"));
});
