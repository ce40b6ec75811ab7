import { expect, test } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { takeFromLimit } from "@/lib/core/take-from-limit";
import { decideVersion } from "@/lib/review/decide-version";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { deprecateSkill } from "@/lib/skills/community/deprecation";
import { deleteSkill, updateSkill } from "@/lib/skills/edit-skills";
import { packFiles, playbookFiles } from "@/lib/testing/sample-packs";
import { distributionWorld } from "./testing/distribution-world";
import { FirstIndex, SearchResult } from "./testing/wire-format";

const { ask, person, admin, publish, readIndex, install, database } = await distributionWorld();
const acme = await person();

const md = (name: string, more = "", body = "") =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n# ${name}\n${body}`;
const withScript = (name: string) =>
  skillFiles({ "SKILL.md": md(name), "scripts/run.sh*": "#!/bin/sh\n", "docs/a.md": "x" });
const keyOf = async (token: string) => {
  const { id } = await database.reader.apiToken.findUniqueOrThrow({ where: { secretHash: sha256Hex(token) } });
  return { tokenId: id };
};
const namesOf = async (scope = "", options = {}) => (await readIndex(scope, options)).skills.map(({ name }) => name);

test("a client installs from both indexes what is public, whole and with its digest", async () => {
  const pdf = await publish(acme, { name: "pdf", files: withScript("pdf") });
  await publish(acme, { name: "hello", files: playbookFiles({ name: "hello" }) });
  await publish(acme, { name: "secret-plan", files: playbookFiles({ name: "secret-plan" }), visibility: "private" });
  const installed = await install();
  expect(installed).toEqual({
    hello: { "SKILL.md": expect.stringContaining("name: hello") },
    pdf: { "SKILL.md": md("pdf"), "docs/a.md": "x", "scripts/run.sh": "#!/bin/sh\n" },
  });
  const { skills } = await readIndex();
  expect(skills.map(({ name, type, url }) => [name, type, url])).toEqual([
    ["hello", "skill-md", expect.stringMatching(/^\/a\/hello\/[0-9a-f]{64}\/SKILL\.md$/)],
    ["pdf", "archive", `/a/pdf/${pdf.digest}.zip`],
  ]);
  expect(skills[1]).toMatchObject({ publisher: pdf.handle, version: "1.0.0", allowedTools: null });

  const first = FirstIndex.parse(await (await ask("/.well-known/skills/index.json")).json());
  expect(first.skills.map(({ name, files }) => [name, [...files].sort()])).toEqual([
    ["hello", ["SKILL.md"]],
    ["pdf", ["SKILL.md", "docs/a.md", "scripts/run.sh"]],
  ]);
  for (const path of ["scripts/run.sh", "scripts%2Frun.sh"]) {
    const file = await ask(`/.well-known/skills/pdf/${path}`);
    expect([file.status, await file.text()]).toEqual([200, "#!/bin/sh\n"]);
    expect(file.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  }
});

test.each(["..%2F..%2Fetc%2Fpasswd", "%2e%2e%2fSKILL.md", "scripts%5Crun.sh", "%2Fetc%2Fpasswd", "none"])(
  "the file %s is not found",
  async (path) => {
    expect((await ask(`/.well-known/skills/pdf/${path}`)).status).toBe(404);
  },
);

test("a path with an empty part is not found, however it gets here: at a public address the framework redirects it", async () => {
  expect((await ask("/api/distribution/well-known/root/skills/pdf/scripts//run.sh")).status).toBe(404);
});

test("a scope answers with its own skills, and one that is not there is 404", async () => {
  const [other, org] = [await person(), await publish(acme, { name: "common", files: withScript("common") })];
  const theirs = await publish(other, { name: "theirs", files: withScript("theirs") });
  expect(await namesOf(`/p/${theirs.handle}`)).toEqual(["theirs"]);
  expect(await namesOf(`/s/${theirs.handle}/theirs`)).toEqual(["theirs"]);
  const at = new Date();
  const collection = {
    id: "c1",
    slug: "start",
    title: "Start",
    description: "",
    visibility: "public",
    ownerId: other.id,
  };
  await database.writer.collection.create({
    data: { ...collection, createdAt: at, updatedAt: at, skills: { create: [{ skillId: org.id, position: 0 }] } },
  });
  expect(await namesOf("/c/start")).toEqual(["common"]);
  await database.writer.collection.update({ where: { id: "c1" }, data: { visibility: "private" } });
  for (const scope of ["/c/start", "/c/none", "/p/none", `/s/${theirs.handle}/none`, "/s/none/theirs", "/t/sgc_none"]) {
    for (const format of ["agent-skills", "skills"]) {
      expect((await ask(`${scope}/.well-known/${format}/index.json`)).status, scope).toBe(404);
    }
  }
  const { id: publisherId } = await database.reader.publisher.findUniqueOrThrow({ where: { handle: theirs.handle } });
  const former = { handle: "former", publisherId, until: new Date(Date.now() + 60_000) };
  await database.writer.formerHandle.create({ data: former });
  for (const [old, now] of [
    ["/p/former", `/p/${theirs.handle}`],
    ["/s/former/theirs@1", `/s/${theirs.handle}/theirs@1`],
  ]) {
    const moved = await ask(`${old}/.well-known/skills/index.json`);
    const address = `http://127.0.0.1:3000${now}/.well-known/skills/index.json`;
    expect([moved.status, moved.headers.get("location")]).toEqual([308, address]);
  }
  await deleteSkill(other.ctx, theirs.id);
  expect((await ask(`/s/${theirs.handle}/theirs/.well-known/agent-skills/index.json`)).status).toBe(410);
});

test("an address names a version by digest, number or version name, also once another serves", async () => {
  const by = await person();
  const first = await publish(by, {
    name: "pinned",
    files: skillFiles({ "SKILL.md": md("pinned", "version: 1.2.0\n") }),
  });
  const second = await publish(by, {
    name: "pinned",
    files: skillFiles({ "SKILL.md": md("pinned", "version: 2.0.0\n") }),
  });
  const digestOf = async (pin: string) => {
    const { skills } = await readIndex(`/s/${first.handle}/pinned${pin}`);
    return skills.map(({ url }) => url.split("/")[3]);
  };
  expect(await digestOf("")).toEqual([second.digest]);
  for (const pin of ["@1.2.0", "@v1.2.0", "@1", `@${first.digest}`, "%401.2.0"])
    expect(await digestOf(pin)).toEqual([first.digest]);
  expect(await install(`/s/${first.handle}/pinned@1`)).toHaveProperty("pinned");
  expect((await ask(`/s/${first.handle}/pinned@9.9.9/.well-known/skills/index.json`)).status).toBe(404);
  // A version that does not state a greater number gets the next one, as at the other endpoints.
  const third = await publish(by, {
    name: "pinned",
    files: skillFiles({ "SKILL.md": md("pinned", "version: 2.0.0\n", "More.\n") }),
  });
  expect((await readIndex(`/s/${first.handle}/pinned`)).skills[0]).toMatchObject({ version: "2.1.0" });
  expect([await digestOf("@2.0.0"), await digestOf("@2.1.0")]).toEqual([[second.digest], [third.digest]]);
  const versioned = (path: string) => ask(`${path.replace("SCOPE", `/s/${first.handle}/pinned`)}/index.json`);
  const pinned = await versioned("SCOPE@1.2.0/.well-known/agent-skills");
  const draft = await versioned("SCOPE/.well-known/agent-skills/v1.2.0");
  expect([draft.status, await draft.text()]).toEqual([200, await pinned.text()]);
  for (const path of [
    "SCOPE/.well-known/agent-skills/v9.9.9",
    "SCOPE/.well-known/agent-skills/1.2.0",
    "SCOPE@1.2.0/.well-known/agent-skills/v2.0.0",
    "SCOPE/.well-known/skills/v1.2.0",
    "/.well-known/agent-skills/v1.2.0",
    `/p/${first.handle}/.well-known/agent-skills/v1.2.0`,
  ])
    expect((await versioned(path)).status, path).toBe(404);
  await decideVersion(admin.ctx, first.id, first.digest, { decision: "revoke", comment: "Bad." });
  expect((await versioned("SCOPE/.well-known/agent-skills/v1.2.0")).status).toBe(410);
  expect((await ask(`/s/${first.handle}/pinned@1.2.0/.well-known/agent-skills/index.json`)).status).toBe(410);
  expect(await digestOf("")).toEqual([third.digest]);
});

test("what is revoked, switched off or deleted is gone by its digest at once, and private is not found", async () => {
  const paths = (name: string, digest: string) =>
    ["/SKILL.md", ".zip", ".tar.gz"].map((end) => `/a/${name}/${digest}${end}`);
  const statuses = (all: string[]) => Promise.all(all.map(async (path) => (await ask(path)).status));
  const one = await publish(acme, { name: "fleeting", files: withScript("fleeting") });
  expect(await statuses(paths("fleeting", one.digest))).toEqual([200, 200, 200]);
  await updateSkill(admin.ctx, one.id, { enabled: false });
  expect(await statuses(paths("fleeting", one.digest))).toEqual([410, 410, 410]);
  await updateSkill(admin.ctx, one.id, { enabled: true, visibility: "private" });
  expect(await statuses(paths("fleeting", one.digest))).toEqual([404, 404, 404]);
  expect((await ask(paths("fleeting", one.digest)[1] ?? "", { token: acme.token })).status).toBe(200);
  await updateSkill(admin.ctx, one.id, { visibility: "public" });
  await decideVersion(admin.ctx, one.id, one.digest, { decision: "revoke", comment: "Bad." });
  expect(await statuses(paths("fleeting", one.digest))).toEqual([410, 410, 410]);
  expect(await namesOf()).not.toContain("fleeting");
  expect((await ask("/.well-known/skills/fleeting/SKILL.md")).status).toBe(404);
  expect((await ask(`/s/${one.handle}/fleeting/.well-known/agent-skills/index.json`)).status).toBe(410);
  expect(await statuses(paths("fleeting", "f".repeat(64)))).toEqual([404, 404, 404]);
  expect(await statuses(paths("other", one.digest))).toEqual([404, 404, 404]);
});

test("bytes that are not what was approved do not leave", async () => {
  const one = await publish(acme, { name: "tampered", files: withScript("tampered") });
  const version = await database.writer.version.findFirstOrThrow({ where: { digest: one.digest } });
  expect((await ask(`/a/tampered/${one.digest}.zip`)).status).toBe(200);
  await database.writer.versionFile.updateMany({
    where: { versionId: version.id, path: "docs/a.md" },
    data: { sha256: "0".repeat(64) },
  });
  expect((await ask(`/a/tampered/${one.digest}.zip`)).status).toBe(410);
  await deleteSkill(acme.ctx, one.id);
});

test("an entry that clients would refuse is left out, and the others stay", async () => {
  const before = await namesOf();
  const by = await person();
  await publish(by, {
    name: "技能",
    files: skillFiles({ "SKILL.md": "---\nname: 技能\ndescription: Text.\n---\n# A\n" }),
  });
  await publish(by, { name: "nothing-said", files: skillFiles({ "SKILL.md": "---\nname: nothing-said\n---\n" }) });
  await publish(by, {
    name: "2024-01-01",
    files: skillFiles({ "SKILL.md": "---\nname: 2024-01-01\ndescription: D.\n---\n# A\n" }),
  });
  expect(await namesOf()).toEqual(before);
  const one = await publish(by, { name: "damaged-entry", files: withScript("damaged-entry") });
  expect(await namesOf()).toContain("damaged-entry");
  const version = await database.writer.version.findFirstOrThrow({ where: { digest: one.digest } });
  const files = JSON.stringify([{ path: "../SKILL.md", mode: "644", size: 1, sha256: "0".repeat(64) }]);
  await database.writer.doorPackage.update({ where: { versionId: version.id }, data: { files } });
  expect(await namesOf()).toEqual(before);
  FirstIndex.parse(await (await ask("/.well-known/skills/index.json")).json());
  await deleteSkill(by.ctx, one.id);
});

test("what is no SKILL.md of the specification is written as one", async () => {
  const long = "word ".repeat(400).trim();
  await publish(acme, { name: "echo_args", files: packFiles() });
  await publish(acme, {
    name: "wordy",
    files: skillFiles({ "skill.md": `---\nname: wordy\ndescription: Use when: ${long}\n---\n# W\n` }),
  });
  const installed = await install();
  expect(installed["echo-args"]?.["SKILL.md"]).toMatch(/^---\nname: echo-args\ndescription: Gives back/);
  expect(Object.keys(installed["echo-args"] ?? {}).sort()).toEqual(["SKILL.md", "run.sh", "skill.json"]);
  expect(installed.wordy?.["SKILL.md"]).toMatch(/^---\nname: wordy\ndescription: /);
  const entry = (await readIndex()).skills.find(({ name }) => name === "wordy");
  const description = entry?.description ?? "";
  expect(description).toMatch(/ word…$/);
  expect(description.length).toBeLessThanOrEqual(1024);
  expect(description.length).toBeGreaterThan(1015);
});

test("tools are listed whichever way they are written", async () => {
  const by = await person();
  for (const [index, tools] of [
    '"Bash(git add:*), Read"',
    "Bash(git add:*) Read",
    '["Bash(git add:*)", "Read"]',
  ].entries()) {
    const name = `tools-${index}`;
    await publish(by, { name, files: skillFiles({ "SKILL.md": md(name, `allowed-tools: ${tools}\n`) }) });
  }
  const { skills } = await readIndex();
  const listed = skills.filter(({ name }) => name.startsWith("tools-")).map(({ allowedTools }) => allowedTools);
  expect(listed).toEqual(Array.from({ length: 3 }, () => ["Bash(git add:*)", "Read"]));
});

test("of several skills of a name one is in a flat index, the others in their publisher’s", async () => {
  const [first, second] = [await person(), await person()];
  const one = await publish(first, { name: "twin", files: skillFiles({ "SKILL.md": md("twin", "license: one\n") }) });
  const two = await publish(second, { name: "twin", files: skillFiles({ "SKILL.md": md("twin", "license: two\n") }) });
  const digests = async (scope: string, options = {}) =>
    (await readIndex(scope, options)).skills.filter(({ name }) => name === "twin").map(({ url }) => url.split("/")[3]);
  expect(await digests("")).toEqual([one.digest]);
  expect(await digests("", { token: second.token })).toEqual([two.digest]);
  expect(await digests(`/p/${two.handle}`)).toEqual([two.digest]);
  const org = await publish(admin, {
    name: "twin",
    files: skillFiles({ "SKILL.md": md("twin", "license: org\n") }),
    owner: "org",
  });
  expect(await digests("")).toEqual([org.digest]);
});

test("a token sees what its person can use, and nothing more for being an admin", async () => {
  const by = await person();
  await publish(by, { name: "diary", files: playbookFiles({ name: "diary" }), visibility: "private" });
  expect(await namesOf("", { token: by.token })).toContain("diary");
  expect(await namesOf("", { token: admin.token })).not.toContain("diary");
  const { headers } = await ask("/.well-known/agent-skills/index.json", { token: by.token });
  expect(headers.get("cache-control")).toBe("private, no-store");
  expect(headers.get("access-control-allow-origin")).toBeNull();
});

test("headers: conditional, HEAD, caching, limits, and none that depend on Host", async () => {
  const digest = /[0-9a-f]{64}/.exec((await readIndex()).skills.find(({ name }) => name === "pdf")?.url ?? "")?.[0];
  const cases = [
    ["/.well-known/agent-skills/index.json", "application/json", "public, max-age=60"],
    ["/.well-known/skills/index.json", "application/json", "public, max-age=60"],
    [`/a/pdf/${digest}.zip`, "application/zip", "public, max-age=31536000, immutable, no-transform"],
    [`/a/pdf/${digest}.tar.gz`, "application/gzip", "public, max-age=31536000, immutable, no-transform"],
    [`/a/pdf/${digest}/SKILL.md`, "text/markdown; charset=utf-8", "public, max-age=31536000, immutable, no-transform"],
    ["/api/search?q=pdf", "application/json", "public, max-age=60"],
  ] as const;
  for (const [path, type, cache] of cases) {
    const got = await ask(path, { headers: { host: "evil.example", "x-forwarded-host": "evil.example" } });
    const { headers } = got;
    expect([got.status, headers.get("content-type"), headers.get("cache-control")], path).toEqual([200, type, cache]);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("sandbox");
    expect(headers.has("content-encoding")).toBe(false);
    for (const name of ["limit", "remaining", "reset"]) expect(headers.get(`ratelimit-${name}`)).toMatch(/^\d+$/);
    const body = Buffer.from(await got.arrayBuffer());
    expect(body.includes("evil.example")).toBe(false);
    const etag = headers.get("etag") ?? "";
    const head = await ask(path, { method: "HEAD" });
    expect([head.status, head.headers.get("etag"), head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      etag,
      String(body.length),
      "",
    ]);
    const again = await ask(path, { headers: { "if-none-match": `W/${etag}` } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  }
});

test("what an archive's address is followed by decides nothing: other forms are not found", async () => {
  const { url = "" } = (await readIndex()).skills.find(({ name }) => name === "pdf") ?? {};
  for (const path of [
    `${url}/`,
    url.replace(".zip", ".ZIP"),
    url.replace("/a/pdf/", "/a/pdf/..%2Fpdf%2F"),
    url.replace("/a/", "/a/%2e%2e%2f"),
  ]) {
    const found = await ask(path).then(
      ({ status }) => status,
      (error: Error) => error.message,
    );
    expect([404, expect.stringContaining("no route")], path).toContainEqual(found);
  }
});

test("a hundred archives at once are all served", async () => {
  const { skills } = await readIndex();
  const asked = Array.from({ length: 100 }, (_, index) => ask(skills[index % skills.length]?.url ?? ""));
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("who reads too much is told when to come back", async () => {
  const eager = await person();
  const { tokenId } = await keyOf(eager.token);
  for (let sent = 0; sent < 3_000; sent += 1) await takeFromLimit("distribution", `token:${tokenId}`, 3_000);
  const refused = await ask("/.well-known/skills/index.json", { token: eager.token });
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  const { headers } = refused;
  expect([headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")]).toEqual(["3000", "0"]);
  expect(headers.get("ratelimit-reset")).toBe(headers.get("retry-after"));
  // Requests for missing archives count towards the limit too.
  const before = Number((await ask("/.well-known/skills/index.json")).headers.get("ratelimit-remaining"));
  expect((await ask(`/a/none/${"0".repeat(64)}.zip`)).status).toBe(404);
  expect(Number((await ask("/.well-known/skills/index.json")).headers.get("ratelimit-remaining"))).toBe(before - 2);
  expect((await ask("/.well-known/skills/index.json")).status).toBe(200);
});

test("search finds words anywhere, and its sources are scopes that answer", async () => {
  const by = await person();
  const one = await publish(by, {
    name: "needle-one",
    files: playbookFiles({ name: "needle-one", description: "Finds hay." }),
  });
  await publish(by, { name: "hay", files: playbookFiles({ name: "hay", description: "A needle is in it." }) });
  const find = async (query: string) => SearchResult.parse(await (await ask(`/api/search?${query}`)).json()).skills;
  expect((await find("q=NEEDLE&limit=20")).map(({ name }) => name)).toEqual(["needle-one", "hay"]);
  expect((await find("q=needle&limit=1")).map(({ name }) => name)).toEqual(["needle-one"]);
  expect(await find("q=needle&owner=nobody")).toEqual([]);
  expect(await find("q=needle+missing")).toEqual([]);
  const [found] = await find(`q=needle-one&owner=${one.handle}`);
  expect(found).toMatchObject({
    id: `${one.handle}/needle-one`,
    source: `http://127.0.0.1:3000/s/${one.handle}/needle-one`,
  });
  expect(await namesOf(new URL(found?.source ?? "").pathname)).toEqual(["needle-one"]);
});

test("installs are counted once for a viewer and hour, and not for looks", async () => {
  const by = await person();
  const one = await publish(by, { name: "counted", files: withScript("counted") });
  const count = async () =>
    SearchResult.parse(await (await ask("/api/search?q=counted")).json()).skills.find(({ name }) => name === "counted")
      ?.installs;
  const path = `/a/counted/${one.digest}.zip`;
  await ask(path, { method: "HEAD" });
  await ask(path, { headers: { "x-skills-update-check": "1" } });
  await ask(path, { headers: { "if-none-match": '"x"' } });
  expect(await count()).toBe(0);
  await ask(path);
  await ask(path);
  await ask("/.well-known/skills/counted/SKILL.md");
  expect(await count()).toBe(1);
  await ask(path, { token: by.token });
  expect(await count()).toBe(2);
  expect(await (await ask(`/api/skills/${one.id}`, { token: by.token })).json()).toMatchObject({ installs: 2 });
});

test("a client that called is seen by whom it called for", async () => {
  const [by, other] = [await person(), await person()];
  await ask("/.well-known/agent-skills/index.json", { token: by.token, headers: { "user-agent": "opencode/1.18" } });
  const seenBy = async (token: string) =>
    (
      (await (await ask("/api/distribution/client-activity", { token })).json()) as {
        items: { client: string; mine: boolean }[];
      }
    ).items;
  expect(await seenBy(by.token)).toContainEqual(
    expect.objectContaining({ client: "opencode", door: "well-known", mine: true }),
  );
  expect(await seenBy(other.token)).not.toContainEqual(expect.objectContaining({ mine: true }));
});

test("a deprecated skill says so in indexes, with what to use instead where the viewer has it", async () => {
  const by = await person();
  const old = await publish(by, { name: "old-way", files: playbookFiles({ name: "old-way" }) });
  const fresh = await publish(by, {
    name: "new-way",
    files: playbookFiles({ name: "new-way" }),
    visibility: "private",
  });
  await deprecateSkill(by.ctx, old.id, { reason: "Too slow.", replacedBy: fresh.id });
  const said = async (options = {}) =>
    (await readIndex(`/p/${old.handle}`, options)).skills.find(({ name }) => name === "old-way")?.deprecated;
  expect(await said()).toEqual({ reason: "Too slow.", useInstead: null });
  expect(await said({ token: by.token })).toEqual({ reason: "Too slow.", useInstead: `@${old.handle}/new-way` });
  await updateSkill(admin.ctx, fresh.id, { visibility: "public" });
  expect(await said()).toEqual({ reason: "Too slow.", useInstead: `@${old.handle}/new-way` });
  const { skills } = (await (await ask("/api/search?q=old-way")).json()) as { skills: unknown[] };
  expect(skills).toContainEqual(
    expect.objectContaining({ deprecated: { reason: "Too slow.", useInstead: `@${old.handle}/new-way` } }),
  );
  expect(await namesOf(`/p/${old.handle}`)).toEqual(["new-way", "old-way"]);
});
