import { createHash } from "node:crypto";
import JSZip from "jszip";
import { expect, test } from "vitest";
import * as clawhub from "@/app/api/distribution/clawhub/route";
import { distributionWorld } from "@/app/api/distribution/testing/distribution-world";
import { ROUTE_TABLE } from "@/app/api/testing/route-table";

import { decideVersion } from "@/lib/review/decide-version";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { deprecateSkill } from "@/lib/skills/community/deprecation";
import { updateSkill } from "@/lib/skills/edit-skills";
import * as wire from "./testing/claw-format";

const isClaw = ([path]: (typeof ROUTE_TABLE)[number]) => /^\/api\/(v1|cli)\//.test(path);
const { ask, person, admin, publish, database } = await distributionWorld([
  ...ROUTE_TABLE.filter(isClaw).map(([path, module]): [string, Record<string, unknown>] => [
    path,
    { ...module, HEAD: module.GET },
  ]),
  ["/api/distribution/clawhub", clawhub],
]);
const acme = await person();

const md = (name: string, more = "", body = "") =>
  `---\nname: ${name}\ndescription: Does ${name} well.\n${more}---\n# ${name}\n${body}`;
const files = (name: string, more = "", body = "") =>
  skillFiles({ "SKILL.md": md(name, more, body), "scripts/run.sh*": "#!/bin/sh\n", ".hidden/x": "h" });
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const json = async (path: string, token?: string) => {
  const response = await ask(path, token === undefined ? {} : { token });
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
};

test("a client finds the API by absolute addresses that never come from the Host header", async () => {
  for (const path of ["/.well-known/clawhub.json", "/.well-known/clawdhub.json"]) {
    const found = await ask(path, { headers: { host: "evil.example" } });
    expect(await found.json()).toEqual({
      apiBase: "http://127.0.0.1:3000",
      authBase: "http://127.0.0.1:3000",
      minCliVersion: "0.1.0",
    });
  }
});

test("every read has the shape that the client checks", async () => {
  const { handle } = await publish(acme, { name: "demo", files: files("demo", "license: Apache-2.0\n") });
  const search = wire.Search.parse(await json("/api/v1/search?q=dem&limit=25&highlightedOnly=1"));
  expect(search.results[0]).toMatchObject({ slug: "demo", ownerHandle: handle, version: "1.0.0", source: "clawhub" });
  const list = wire.List.parse(await json("/api/v1/skills?limit=10&sort=trending"));
  expect(list.items.map(({ slug }) => slug)).toContain("demo");
  const skill = wire.Skill.parse(await json(`/api/v1/skills/demo?ownerHandle=@${handle}`));
  expect(skill).toMatchObject({ latestVersion: { version: "1.0.0", license: null }, metadata: { setup: [] } });
  expect(skill.moderation).toMatchObject({ isSuspicious: false, isMalwareBlocked: false, verdict: "clean" });
  wire.Versions.parse(await json("/api/v1/skills/demo/versions?limit=5"));
  const version = wire.Version.parse(await json("/api/v1/skills/demo/versions/1.0.0"));
  expect(version.version?.files?.map(({ path }) => path)).toEqual([".hidden/x", "SKILL.md", "scripts/run.sh"]);
  wire.Moderation.parse(await json("/api/v1/skills/demo/moderation"));
  const verified = wire.Verify.parse(await json("/api/v1/skills/demo/verify?version=1.0.0"));
  expect(verified).toMatchObject({ ok: true, decision: "pass", resolvedFrom: "version", version: "1.0.0" });
  const install = wire.Install.parse(await json("/api/v1/skills/demo/install"));
  expect(install.archive.downloadUrl).toMatch(/^http:\/\/127\.0\.0\.1:3000\/api\/v1\/download\?/);
  wire.Trending.parse(await json("/api/v1/trending?kind=skills"));
  const asked = await ask("/api/v1/skills/-/security-verdicts", {
    method: "POST",
    json: { items: [{ slug: "demo", ownerHandle: handle, version: "1.0.0" }, { slug: "none" }] },
  });
  const [good, bad] = wire.Verdicts.parse(await asked.json()).items;
  expect([good?.ok, bad?.ok]).toEqual([true, false]);
});

test("the download is the archive whose digest was verified, with the files at its root", async () => {
  const answer = await ask("/api/v1/download?slug=demo&version=1.0.0");
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const zip = await JSZip.loadAsync(bytes);
  expect(Object.keys(zip.files).sort()).toEqual([".hidden/x", "SKILL.md", "scripts/run.sh"]);
  const { artifact } = wire.Verify.parse(await json("/api/v1/skills/demo/verify"));
  expect(artifact).toMatchObject({ sha256: sha256(bytes) });
  expect(answer.headers.get("ratelimit-limit")).toBe("3000");
  const tag = answer.headers.get("etag") ?? "";
  expect((await ask("/api/v1/download?slug=demo", { headers: { "if-none-match": tag } })).status).toBe(304);
  const head = await ask("/api/v1/download?slug=demo", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("installs are counted once for download and report, and not for looks", async () => {
  const { token } = await person();
  const count = async () => {
    const rows = await database.reader.installCount.findMany({ where: { door: "clawhub" } });
    return rows.reduce((sum, row) => sum + row.count, 0);
  };
  const before = await count();
  await ask("/api/v1/download?slug=demo", { method: "HEAD", token });
  await ask("/api/v1/download?slug=demo", { token, headers: { "x-skills-update-check": "1" } });
  expect(await count()).toBe(before);
  await ask("/api/v1/download?slug=demo", { token });
  const body = { event: "install", slug: "demo", version: "1.0.0" };
  const told = await ask("/api/cli/telemetry/install", { method: "POST", token, json: body });
  expect(await told.json()).toEqual({ ok: true });
  expect(await count()).toBe(before + 1);
});

test("a fingerprint leaves out hidden files and finds the version it is of", async () => {
  const lines = [
    ["SKILL.md", md("demo", "license: Apache-2.0\n")],
    ["scripts/run.sh", "#!/bin/sh\n"],
  ]
    .sort(([a = ""], [b = ""]) => a.localeCompare(b))
    .map(([path, text]) => `${path}:${sha256(text ?? "")}`);
  const hash = sha256(lines.join("\n"));
  expect(wire.Resolve.parse(await json(`/api/v1/resolve?slug=demo&hash=${hash}`))).toEqual({
    match: { version: "1.0.0" },
    latestVersion: { version: "1.0.0" },
  });
  const other = wire.Resolve.parse(await json(`/api/v1/resolve?slug=demo&hash=${"0".repeat(64)}`));
  expect(other.match).toBeNull();
});

test("one file comes as text or bytes that no browser renders; what is not there is said in a sentence", async () => {
  const file = await ask("/api/v1/skills/demo/file?path=SKILL.md&preview=1");
  expect(await file.text()).toContain("# demo");
  expect(file.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(file.headers.get("content-security-policy")).toContain("sandbox");
  for (const path of ["../../etc/passwd", "..%2F..%2Fetc%2Fpasswd", "none.md"]) {
    const none = await ask(`/api/v1/skills/demo/file?path=${path}`);
    expect([none.status, none.headers.get("content-type")]).toEqual([404, "text/plain; charset=utf-8"]);
  }
  const unknown = await ask("/api/v1/skills/none");
  expect(await unknown.text()).toMatch(/^Skill not found: /);
  expect((await ask("/api/v1/skills?limit=0")).status).toBe(400);
});

test("private skills are for tokens that see them", async () => {
  const mine = await person();
  await publish(mine, { name: "my-own", files: files("my-own"), visibility: "private" });
  expect((await ask("/api/v1/download?slug=my-own")).status).toBe(404);
  expect(await json("/api/v1/search?q=my-own")).toEqual({ results: [] });
  const answer = await ask("/api/v1/download?slug=my-own", { token: mine.token });
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
});

test("a revoked version is gone from every read, and the one before stays", async () => {
  const by = await person();
  const first = await publish(by, { name: "shaky", files: files("shaky") });
  const second = await publish(by, { name: "shaky", files: files("shaky", "", "More.\n") });
  expect(
    wire.Resolve.parse(await json(`/api/v1/resolve?slug=shaky&hash=${"0".repeat(64)}`)).latestVersion?.version,
  ).toBe("1.1.0");
  await decideVersion(admin.ctx, second.id, second.digest, { decision: "revoke", comment: "No." });
  const at = (version: string) =>
    ["download?slug=shaky&", "skills/shaky/file?path=SKILL.md&", "skills/shaky/verify?"].map(
      async (path) => (await ask(`/api/v1/${path}version=${version}`)).status,
    );
  expect(await Promise.all(at("1.1.0"))).toEqual([410, 410, 410]);
  expect((await ask("/api/v1/skills/shaky/versions/1.1.0")).status).toBe(410);
  await decideVersion(admin.ctx, first.id, first.digest, { decision: "revoke", comment: "No." });
  expect(await Promise.all(at("1.0.0"))).toEqual([410, 410, 410]);
  expect(await json("/api/v1/search?q=shaky")).toEqual({ results: [] });
});

const BLOCKED = { skill: null, latestVersion: null, metadata: null, owner: null };

test("clients that update all their skills hear of a revoked one in the form that they read", async () => {
  const by = await person();
  const bad = await publish(by, { name: "recalled", files: files("recalled", "", "The secret sauce.\n") });
  await decideVersion(admin.ctx, bad.id, bad.digest, { decision: "revoke", comment: "It steals." });
  for (const query of ["", `?ownerHandle=${bad.handle}`]) {
    const answer = await json(`/api/v1/skills/recalled${query}`);
    expect(wire.Skill.parse(answer)).toMatchObject({
      ...BLOCKED,
      moderation: { isMalwareBlocked: true, verdict: "malicious", reasonCodes: ["revoked"] },
    });
    expect(JSON.stringify(answer)).not.toMatch(/sauce|Does recalled|steals/);
    const { moderation } = wire.Moderation.parse(await json(`/api/v1/skills/recalled/moderation${query}`));
    expect(moderation).toMatchObject({ isMalwareBlocked: true, evidence: [] });
    const refused = await ask(`/api/v1/skills/recalled/install${query}`);
    expect([refused.status, refused.headers.get("content-type")]).toEqual([410, "application/json"]);
    expect(wire.InstallRefusal.parse(await refused.json())).toMatchObject({ slug: "recalled", status: 410 });
  }
});

test("a disabled skill blocks no client’s update, and is not called malicious", async () => {
  const by = await person();
  const off = await publish(by, { name: "paused", files: files("paused") });
  await updateSkill(admin.ctx, off.id, { enabled: false });
  expect(wire.Skill.parse(await json("/api/v1/skills/paused"))).toEqual({ ...BLOCKED, moderation: null });
  expect(await json("/api/v1/skills/paused/moderation")).toEqual({ moderation: null });
  const refused = await ask("/api/v1/skills/paused/install");
  expect(refused.status).toBe(410);
  expect(wire.InstallRefusal.parse(await refused.json()).message).toContain("switched off");
});

test.each([true, false])(
  "what was changed in storage does not pass, with a package made before: %s",
  async (packed) => {
    const name = `bent-${packed}`;
    const by = await person();
    const bent = await publish(by, { name, files: files(name) });
    const other = await publish(by, { name: `${name}-not`, files: files(`${name}-not`) });
    const items = [{ slug: name, ownerHandle: bent.handle, version: "1.0.0" }, { slug: `${name}-not` }];
    const verdicts = async () => {
      const asked = await ask("/api/v1/skills/-/security-verdicts", { method: "POST", json: { items } });
      return wire.Verdicts.parse(await asked.json()).items.map(({ ok }) => ok);
    };
    if (packed) expect(await verdicts()).toEqual([true, true]);
    const { sha256: hash } = await database.reader.versionFile.findFirstOrThrow({
      where: { path: "SKILL.md", version: { skillId: bent.id } },
    });
    await database.writer.blob.update({ where: { sha256: hash }, data: { bytes: new TextEncoder().encode("other") } });

    expect(wire.Skill.parse(await json(`/api/v1/skills/${name}`))).toMatchObject({
      ...BLOCKED,
      moderation: { isMalwareBlocked: true, verdict: "suspicious", reasonCodes: ["version_tampered"] },
    });
    const { moderation } = wire.Moderation.parse(await json(`/api/v1/skills/${name}/moderation`));
    expect(moderation).toMatchObject({ isMalwareBlocked: true, verdict: "suspicious" });
    expect(await verdicts()).toEqual([false, true]);
    const verified = await ask(`/api/v1/skills/${name}/verify`);
    if (packed) {
      expect(wire.Verify.parse(await verified.json())).toMatchObject({
        ...{ ok: false, decision: "fail", reasons: ["version_tampered"] },
        security: { passed: false },
      });
    } else expect(verified.status).toBe(409);
    const refused = await ask(`/api/v1/skills/${name}/install`);
    expect([refused.status, wire.InstallRefusal.parse(await refused.json()).ok]).toEqual([409, false]);
    const hashes = `slug=${name}&hash=${"0".repeat(64)}`;
    expect(wire.Resolve.parse(await json(`/api/v1/resolve?${hashes}`)).match).toBeNull();
    // Other skills of the list and of the publisher stay.
    const { items: listed } = wire.List.parse(await json("/api/v1/skills?limit=200&prefix=bent-"));
    expect(listed.map(({ slug }) => slug)).toContain(`${name}-not`);
    expect(listed.map(({ slug }) => slug)).not.toContain(name);
    expect((await ask(`/api/v1/download?slug=${name}-not&ownerHandle=${other.handle}`)).status).toBe(200);
  },
);

test("pages of the list go on where they ended", async () => {
  for (const name of ["page-a", "page-b", "page-c"]) await publish(acme, { name, files: files(name) });
  const slugs: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = `limit=2&sort=name&prefix=page-${cursor ? `&cursor=${cursor}` : ""}`;
    const page = wire.List.parse(await json(`/api/v1/skills?${query}`));
    slugs.push(...page.items.map(({ slug }) => slug));
    cursor = page.nextCursor;
  }
  expect(slugs).toEqual(["page-a", "page-b", "page-c"]);
});

test("who a token is, and its stars", async () => {
  const { token } = await person("reviewer");
  const { user } = wire.Whoami.parse(await json("/api/v1/whoami", token));
  expect(user.role).toBe("moderator");
  const star = async (method: string) => (await ask("/api/v1/stars/demo", { method, token })).json();
  expect(await star("POST")).toEqual({ ok: true, starred: true, alreadyStarred: false });
  expect(await star("POST")).toEqual({ ok: true, starred: true, alreadyStarred: true });
  expect(await star("DELETE")).toEqual({ ok: true, unstarred: true, alreadyUnstarred: false });
  expect((await ask("/api/v1/whoami")).status).toBe(401);
});

type Publishing = { slug: string; version: string; content: Record<string, string>; ownerHandle?: string };

async function publishAs(token: string, { content, ...rest }: Publishing): Promise<Response> {
  const uploaded = [];
  for (const [path, text] of Object.entries(content)) {
    const bytes = new TextEncoder().encode(text);
    const announced = { path, size: bytes.length, sha256: sha256(bytes) };
    const opened = await ask("/api/v1/skills/-/upload-url", {
      method: "POST",
      token,
      json: { ...announced, contentType: "text/markdown" },
    });
    const { uploadUrl, uploadTicket } = wire.UploadUrl.parse(await opened.json());
    const { pathname, search } = new URL(uploadUrl);
    const sent = await ask(pathname + search, { method: "POST", token, body: bytes });
    uploaded.push({ ...announced, uploadTicket, ...wire.Uploaded.parse(await sent.json()) });
  }
  const body = {
    displayName: "X",
    changelog: "New.",
    acceptLicenseTerms: true,
    tags: ["latest"],
    ...rest,
    files: uploaded,
  };
  return ask("/api/v1/skills", { method: "POST", token, json: body });
}

test("what is published waits for review, is then served under its version, and is never overwritten", async () => {
  const author = await person();
  const { user } = wire.Whoami.parse(await json("/api/v1/whoami", author.token));
  const content = { "SKILL.md": md("fresh"), "notes.md": "n" };
  const published = await publishAs(author.token, {
    slug: "fresh",
    version: "1.1.0",
    content,
    ownerHandle: user.handle,
  });
  const answer = wire.Published.parse(await published.json());
  expect(answer).toMatchObject({ status: "pending", publicationStatus: "pending" });
  expect((await ask("/api/v1/skills/fresh", { token: author.token })).status).toBe(404);
  const row = await database.reader.version.findUniqueOrThrow({ where: { id: answer.versionId } });
  expect([row.state, row.changelog, row.createdById]).toEqual(["pending", "New.", author.id]);
  expect(await database.reader.uploadTicket.count({ where: { userId: author.id } })).toBe(0);

  const again = await publishAs(author.token, {
    slug: "fresh",
    version: "1.1.0",
    content: { "SKILL.md": md("fresh", "", "x") },
  });
  expect([again.status, await again.text()]).toEqual([409, expect.stringContaining("1.1.1 or later")]);
  const same = await publishAs(author.token, { slug: "fresh", version: "2.0.0", content });
  expect([same.status, await same.text()]).toEqual([409, expect.stringContaining("already version 1.1.0")]);

  await decideVersion(admin.ctx, answer.skillId, row.digest, { decision: "approve", comment: "Fine." });
  await updateSkill(admin.ctx, answer.skillId, { visibility: "public", enabled: true });
  expect(wire.Skill.parse(await json("/api/v1/skills/fresh")).latestVersion).toMatchObject({
    version: "1.1.0",
    changelog: "New.",
  });
});

test.each([
  ["another name than its SKILL.md", { slug: "other-name", version: "1.0.0" }, 422],
  ["a version that is no version", { slug: "refused", version: "one" }, 422],
  ["another person’s publisher", { slug: "refused", version: "1.0.0", ownerHandle: "nobody-else" }, 403],
])("publishing with %s is refused and leaves nothing", async (_, input, status) => {
  const { token, id } = await person();
  const answer = await publishAs(token, { ...input, content: { "SKILL.md": md("refused") } });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/plain; charset=utf-8"]);
  expect(await database.reader.skill.count({ where: { ownerId: id } })).toBe(0);
});

test("an upload is bounded, its own person’s, and has the bytes that were announced", async () => {
  const [one, other] = [await person(), await person()];
  const open = (size: number, path = "SKILL.md") =>
    ask("/api/v1/skills/-/upload-url", {
      method: "POST",
      token: one.token,
      json: { path, size, sha256: sha256("abc") },
    });
  expect((await open(6 * 1024 * 1024)).status).toBe(413);
  expect((await open(3, "../x")).status).toBe(422);
  const { uploadUrl } = wire.UploadUrl.parse(await (await open(3)).json());
  const { pathname, search } = new URL(uploadUrl);
  const send = async (token: string, text: string) =>
    (await ask(pathname + search, { method: "POST", token, body: new TextEncoder().encode(text) })).status;
  expect(await send(other.token, "abc")).toBe(404);
  expect(await send(one.token, "abd")).toBe(422);
  expect(await send(one.token, "abc")).toBe(200);
  for (let size = 0; size < 10; size += 1) await open(5 * 1024 * 1024, `f${size}`);
  expect((await open(5 * 1024 * 1024, "one-more")).status).toBe(413);
  const at = new Date(0);
  await database.writer.uploadTicket.updateMany({ where: { userId: one.id }, data: { expiresAt: at } });
  expect(await send(one.token, "abc")).toBe(404);
  expect((await open(3)).status).toBe(200);
});

test("advice against a skill stands where clients print something of it", async () => {
  const by = await person();
  const old = await publish(by, { name: "tired", files: files("tired") });
  const fresh = await publish(by, { name: "rested", files: files("rested") });
  await deprecateSkill(by.ctx, old.id, { reason: "It is slow", replacedBy: fresh.id });
  const advice = `Deprecated: It is slow. Use @${fresh.handle}/rested instead. `;
  const { skill, moderation } = wire.Skill.parse(await json("/api/v1/skills/tired"));
  expect(skill?.summary).toBe(`${advice}Does tired well.`);
  expect(skill?.description).toBe("Does tired well.");
  expect(moderation?.summary).toContain(`${advice}A reviewer approved`);
  const { results } = wire.Search.parse(await json("/api/v1/search?q=tired"));
  expect(results[0]?.summary).toBe(`${advice}Does tired well.`);
  expect(wire.Install.parse(await json("/api/v1/skills/tired/install")).ok).toBe(true);
});
