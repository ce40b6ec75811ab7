import fc from "fast-check";
import JSZip from "jszip";
import { expect, test } from "vitest";
import { distributionWorld } from "@/app/api/distribution/testing/distribution-world";
import { ROUTE_TABLE } from "@/app/api/testing/route-table";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { takeFromLimit } from "@/lib/core/take-from-limit";
import { decideVersion } from "@/lib/review/decide-version";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { deprecateSkill } from "@/lib/skills/community/deprecation";
import { updateSkill } from "@/lib/skills/edit-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { listeningServer } from "@/lib/testing/listening-server";
import { zipUpload } from "@/lib/testing/sample-packs";
import * as wire from "./testing/skills-api-format";

const { person, admin, publish, readIndex, database, ask } = await distributionWorld();
const url = await listeningServer(ROUTE_TABLE.filter(([path]) => path.startsWith("/v1/")));
const acme = await person();

const md = (name: string, body = "One.") =>
  `---\nname: ${name}\ndescription: Does ${name} well.\n---\n# ${name}\n${body}\n`;
const files = (name: string, body?: string) =>
  skillFiles({ "SKILL.md": md(name, body), "scripts/run.sh*": "#!/bin/sh\n" });

type Who = { token: string } | null;
const get = (path: string, who: Who, headers: Record<string, string> = {}, method = "GET") =>
  fetch(url + path, { method, headers: { ...(who && { "x-api-key": who.token }), ...headers } });
const json = async (path: string, who: Who) => {
  const response = await get(path, who);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
};
const failure = async (response: Response) => {
  const body = wire.Failure.parse(await response.json());
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("request-id")).toBe(body.request_id);
  return [response.status, body.error.type];
};
const namesFor = async (who: Who) =>
  wire.Skills.parse(await json("/v1/skills?limit=1000", who)).data.map((skill) => skill.display_name);

test("the SDK’s five reads have its shapes, with a key or a bearer token, whatever its beta header says", async () => {
  const { id, digest } = await publish(acme, { name: "pdf", files: files("pdf") });
  const headers = { "anthropic-beta": "skills-2025-10-02,other-2026-01-01", "anthropic-version": "2023-06-01" };
  const list = wire.Skills.parse(await (await get("/v1/skills?beta=true", acme, headers)).json());
  expect(list.data).toContainEqual(expect.objectContaining({ id, display_name: "pdf", latest_version_id: digest }));
  const bearer = await get("/v1/skills?beta=true", null, { authorization: `Bearer ${acme.token}` });
  expect(wire.Skills.parse(await bearer.json())).toEqual(list);
  const skill = wire.Skill.parse(await json(`/v1/skills/${id}?beta=true`, acme));
  expect(list.data).toContainEqual(skill);
  const versions = wire.Versions.parse(await json(`/v1/skills/${id}/versions?beta=true`, acme));
  expect(versions).toMatchObject({ data: [{ id: digest, name: "pdf", skill_id: id }], next_page: null });
  for (const name of [digest, `sha256:${digest}`, "1"])
    expect(wire.Version.parse(await json(`/v1/skills/${id}/versions/${name}`, acme))).toEqual(versions.data[0]);
  const content = await get(`/v1/skills/${id}/versions/${digest}/content?beta=true`, acme, {
    accept: "application/binary",
  });
  expect(content.headers.get("content-type")).toBe("application/zip");
  expect(content.headers.get("content-disposition")).toContain("pdf.zip");
  const zip = await JSZip.loadAsync(await content.arrayBuffer(), { checkCRC32: true });
  expect(Object.keys(zip.files).sort()).toEqual(["pdf/SKILL.md", "pdf/scripts/run.sh"]);
  expect(await zip.file("pdf/SKILL.md")?.async("text")).toBe(md("pdf"));
});

test("releases of the SDK before 1.0 find the names they read", async () => {
  const { id } = await publish(acme, { name: "earlier", files: files("earlier") });
  const skill = await json(`/v1/skills/${id}`, acme);
  expect(skill).toMatchObject({ display_title: "earlier", latest_version: "1" });
  expect(await json(`/v1/skills/${id}/versions/${skill.latest_version}`, acme)).toMatchObject({
    ...{ version: "1", directory: "earlier" },
  });
});

test("pages hold the newest first, and go on where they were although a skill is approved in between", async () => {
  const by = await person();
  for (const name of ["p-1", "p-2", "p-3", "p-4", "p-5"])
    await publish(by, { name, files: files(name), visibility: "private" });
  const all = await namesFor(by);
  expect(all.filter((name) => name.startsWith("p-"))).toEqual(["p-5", "p-4", "p-3", "p-2", "p-1"]);
  const read = async (page: string | null) =>
    wire.Skills.parse(await json(`/v1/skills?limit=2${page === null ? "" : `&page=${page}`}`, by));
  const found: string[] = [];
  let page: string | null = null;
  do {
    const answer: Awaited<ReturnType<typeof read>> = await read(page);
    expect([answer.has_more, answer.data.length <= 2]).toEqual([answer.next_page !== null, true]);
    found.push(...answer.data.map((skill) => skill.display_name));
    if (page === null) await publish(by, { name: "p-6", files: files("p-6"), visibility: "private" });
    page = answer.next_page;
  } while (page !== null);
  expect(found).toEqual(all);
  expect(wire.Skills.parse(await json("/v1/skills?source=anthropic", by)).data).toEqual([]);
  expect(wire.Skills.parse(await json("/v1/skills?source=custom&page=", by)).data.length).toBeGreaterThan(5);
});

test.each(["limit=0", "limit=1001", "limit=x", "page=x", "page=WzEsMiwzXQ"])(
  "%s is an invalid request",
  async (query) => {
    expect(await failure(await get(`/v1/skills?${query}`, acme))).toEqual([400, "invalid_request_error"]);
  },
);

test("versions are the approved ones, newest first, each with its own bytes; one that waits is not there", async () => {
  const by = await person();
  const first = await publish(by, { name: "twice", files: files("twice", "One.") });
  const second = await publish(by, { name: "twice", files: files("twice", "Two.") });
  const waits = await zipUpload("twice", files("twice", "Three."));
  const [{ pendingVersion } = expect.fail()] = (await importSkills(by.ctx, { ...waits, owner: "me" })).skills;
  const at = `/v1/skills/${first.id}/versions`;
  const ids = async (query = "") => wire.Versions.parse(await json(at + query, by)).data.map(({ id }) => id);
  expect(await ids()).toEqual([second.digest, first.digest]);
  const page = wire.Versions.parse(await json(`${at}?limit=1`, by));
  expect([page.data[0]?.id, page.has_more]).toEqual([second.digest, true]);
  expect(await ids(`?limit=1&page=${page.next_page}`)).toEqual([first.digest]);
  for (const [digest, body] of [
    [first.digest, "One."],
    [second.digest, "Two."],
  ]) {
    const zip = await JSZip.loadAsync(await (await get(`${at}/${digest}/content`, by)).arrayBuffer());
    expect(await zip.file("twice/SKILL.md")?.async("text")).toBe(md("twice", body));
  }
  expect(await json(`${at}/latest`, by)).toMatchObject({ id: second.digest });
  expect(await failure(await get(`${at}/latest/content`, by))).toEqual([404, "not_found_error"]);
  for (const name of [pendingVersion?.digest, "3", "0", "1.0.0", "f".repeat(64)]) {
    expect(await failure(await get(`${at}/${name}`, by)), name).toEqual([404, "not_found_error"]);
    expect(await failure(await get(`${at}/${name}/content`, by)), name).toEqual([404, "not_found_error"]);
  }
  expect(await json(`/v1/skills/${first.id}`, by)).toMatchObject({ latest_version_id: second.digest });
});

test("a revocation and a switch take effect with the next request", async () => {
  const one = await publish(acme, { name: "brief", files: files("brief") });
  const paths = ["", "/versions", `/versions/${one.digest}`, `/versions/${one.digest}/content`];
  const answers = () => Promise.all(paths.map(async (path) => (await get(`/v1/skills/${one.id}${path}`, acme)).status));
  expect(await answers()).toEqual([200, 200, 200, 200]);
  await updateSkill(admin.ctx, one.id, { enabled: false });
  expect(await answers()).toEqual([404, 404, 404, 404]);
  await updateSkill(admin.ctx, one.id, { enabled: true });
  expect(await answers()).toEqual([200, 200, 200, 200]);
  await decideVersion(admin.ctx, one.id, one.digest, { decision: "revoke", comment: "Bad." });
  expect(await answers()).toEqual([404, 404, 404, 404]);
  expect(await namesFor(acme)).not.toContain("brief");
  const { error } = await (await get(`/v1/skills/${one.id}/versions/${one.digest}`, acme)).json();
  expect(error.message).toContain("revoked");
});

test("bytes that are not what was approved do not leave", async () => {
  const one = await publish(acme, { name: "changed", files: files("changed") });
  const path = `/v1/skills/${one.id}/versions/${one.digest}/content`;
  expect((await get(path, acme)).status).toBe(200);
  const version = await database.writer.version.findFirstOrThrow({ where: { digest: one.digest } });
  const where = { versionId: version.id, path: "scripts/run.sh" };
  await database.writer.versionFile.updateMany({ where, data: { sha256: "0".repeat(64) } });
  expect(await failure(await get(path, acme))).toEqual([404, "not_found_error"]);
});

test("errors are those of that API at every address below /v1, with the id of the request", async () => {
  expect(await failure(await get("/v1/skills", null))).toEqual([401, "authentication_error"]);
  expect(await failure(await get("/v1/skills", { token: "sk-ant-api03-x" }))).toEqual([401, "authentication_error"]);
  // A bad key is refused although a good token is beside it.
  const both = { authorization: `Bearer ${acme.token}` };
  expect(await failure(await get("/v1/skills", { token: `sgt_${"x".repeat(43)}` }, both))).toEqual([
    401,
    "authentication_error",
  ]);
  const { token } = await person("user");
  const hash = sha256Hex(token);
  await database.writer.apiToken.update({ where: { secretHash: hash }, data: { scopes: '["run"]' } });
  expect(await failure(await get("/v1/skills", { token }))).toEqual([403, "permission_error"]);
  expect(await failure(await get("/v1/skills/none", acme))).toEqual([404, "not_found_error"]);
  for (const [method, path] of [
    ["GET", "/v1/models"],
    ["POST", "/v1/messages"],
    ["DELETE", "/v1/files/x"],
    ["GET", "/v1/skills/x/versions/1/content/more"],
  ] as const) {
    expect(await failure(await get(path, acme, {}, method)), path).toEqual([404, "not_found_error"]);
  }
  for (const [method, path] of [
    ["POST", "/v1/skills"],
    ["DELETE", "/v1/skills/x"],
    ["POST", "/v1/skills/x/versions"],
    ["DELETE", "/v1/skills/x/versions/1"],
    ["PUT", "/v1/skills/x/versions/1/content"],
  ] as const) {
    const response = await get(path, acme, {}, method);
    expect(response.headers.get("allow"), path).toBe("GET, HEAD, OPTIONS");
    expect(await failure(response), path).toEqual([405, "invalid_request_error"]);
  }
  const eager = await person();
  const { id } = await database.reader.apiToken.findUniqueOrThrow({ where: { secretHash: sha256Hex(eager.token) } });
  for (let sent = 0; sent < 3_000; sent += 1) await takeFromLimit("distribution", `token:${id}`, 3_000);
  const limited = await get("/v1/skills", eager);
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await failure(limited)).toEqual([429, "rate_limit_error"]);
});

test("answers are conditional, private and have the id of the request; HEAD has no body", async () => {
  const all = wire.Skills.parse(await json("/v1/skills", acme)).data;
  const skill = all.find((one) => one.display_name === "pdf");
  const content = `/v1/skills/${skill?.id}/versions/${skill?.latest_version_id}/content`;
  for (const path of ["/v1/skills", `/v1/skills/${skill?.id}`, `/v1/skills/${skill?.id}/versions`, content]) {
    const { headers } = await get(path, acme);
    expect(headers.get("cache-control"), path).toBe("private, no-store");
    expect(headers.get("request-id"), path).toMatch(/^[\w-]{10,}$/);
    expect(headers.get("vary"), path).toContain("X-Api-Key");
    expect(headers.get("access-control-allow-origin"), path).toBeNull();
    const etag = headers.get("etag") ?? "";
    expect((await get(path, acme, { "if-none-match": etag })).status, path).toBe(304);
    const head = await get(path, acme, {}, "HEAD");
    expect([head.status, head.headers.get("etag"), await head.text()], path).toEqual([200, etag, ""]);
  }
  const part = await get(content, acme, { range: "bytes=0-1" });
  expect([part.status, await part.text()]).toEqual([206, "PK"]);
});

test("a download counts as an install once, and the client’s activity is shown to its person", async () => {
  const by = await person();
  const one = await publish(by, { name: "counted-once", files: files("counted-once"), visibility: "private" });
  const agent = { "user-agent": "Anthropic/JS 1.12.0" };
  const path = `/v1/skills/${one.id}/versions/${one.digest}/content`;
  await get(path, by, agent, "HEAD");
  await get(`/v1/skills/${one.id}`, by, agent);
  const count = () => database.reader.installCount.findMany({ where: { skillId: one.id } });
  expect(await count()).toEqual([]);
  await get(path, by, agent);
  await get(path, by, agent);
  expect(await count()).toMatchObject([{ door: "skills-api", count: 1, versionDigest: one.digest }]);
  const seen = await (await ask("/api/distribution/client-activity", { token: by.token })).json();
  expect(seen.items).toContainEqual(
    expect.objectContaining({ door: "skills-api", client: "anthropic-sdk", mine: true }),
  );
});

test("a deprecated skill says so before its description", async () => {
  const one = await publish(acme, { name: "old-one", files: files("old-one") });
  await deprecateSkill(acme.ctx, one.id, { reason: "Too slow." });
  expect(await json(`/v1/skills/${one.id}/versions/1`, acme)).toMatchObject({
    description: "Deprecated: Too slow. Does old-one well.",
  });
});

const agentOf = async (who: { token: string; id: string }, persona: object): Promise<{ token: string }> => {
  const { token } = await person();
  const at = new Date();
  const row = { id: newId(), name: newId(), permissionMode: "mutating-with-confirm", allow: "[]", deny: "[]" };
  const { id } = await database.writer.persona.create({ data: { ...row, ...persona, createdAt: at, updatedAt: at } });
  const change = { userId: who.id, personaId: id };
  await database.writer.apiToken.update({ where: { secretHash: sha256Hex(token) }, data: change });
  return { token };
};

test("whatever is switched, shared and revoked, every viewer gets what their index has, and nothing else by an id", async () => {
  const [owner, other] = [await person(), await person()];
  const names = ["m-a", "m-b", "m-c"];
  const made = new Map<string, { id: string; digest: string }>();
  for (const [index, name] of names.entries()) {
    const visibility = index === 0 ? "public" : "private";
    // Agents get no skill with a script that no reviewer granted.
    const shape = name === "m-c" ? files(name) : skillFiles({ "SKILL.md": md(name) });
    made.set(name, await publish(owner, { name, files: shape, visibility }));
  }
  const viewers: Record<string, { token: string }> = {
    ...{ owner, other, admin },
    "an agent of the owner": await agentOf(owner, {}),
    "an agent that may not use m-a": await agentOf(owner, { deny: '["m-a"]' }),
    "an agent for m-b alone": await agentOf(owner, { allow: '["m-b"]' }),
  };
  const isModelled = (name: string) => names.includes(name);
  const change = fc.oneof(
    fc.record({ enabled: fc.boolean() }),
    fc.record({ visibility: fc.constantFrom("public" as const, "private" as const) }),
    fc.constantFrom("revoke" as const, "approve" as const),
  );
  let served = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...names), change), { maxLength: 4 }), async (changes) => {
      for (const [name, what] of changes) {
        const { id, digest } = made.get(name) ?? expect.fail();
        // What is not possible in the present state is refused, and changes nothing.
        if (typeof what === "string")
          await decideVersion(admin.ctx, id, digest, { decision: what, comment: "" }).catch(() => {});
        else await updateSkill(admin.ctx, id, what).catch(() => {});
      }
      for (const [viewer, who] of Object.entries(viewers)) {
        const indexed = (await readIndex("", { token: who.token })).skills.map(({ name }) => name).filter(isModelled);
        expect((await namesFor(who)).filter(isModelled).sort(), viewer).toEqual(indexed.sort());
        served += indexed.length;
        for (const name of names) {
          const { id, digest } = made.get(name) ?? expect.fail();
          const wanted = indexed.includes(name) ? 200 : 404;
          for (const path of ["", "/versions", "/versions/latest", "/versions/1", `/versions/${digest}/content`])
            expect((await get(`/v1/skills/${id}${path}`, who)).status, `${viewer} ${name}${path}`).toBe(wanted);
        }
      }
    }),
    { numRuns: 12 },
  );
  expect(served).toBeGreaterThan(20);
});
