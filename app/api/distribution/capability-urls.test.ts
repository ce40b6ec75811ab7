import { afterEach, expect, test, vi } from "vitest";
import { newId } from "@/lib/core/ids";
import { decideVersion } from "@/lib/review/decide-version";
import { updateSettings } from "@/lib/settings/update-settings";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { addToCollection, createCollection } from "@/lib/skills/community/edit-collections";
import { publisherOf } from "@/lib/skills/community/publishers";
import { AddToCollectionInput, CreateCollectionInput } from "@/lib/skills/community/schema";
import { deleteSkill, updateSkill } from "@/lib/skills/edit-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { distributionWorld } from "./testing/distribution-world";

const { ask, person, admin, publish, readIndex, install, database } = await distributionWorld();
const owner = await person();
const mine = await publish(owner, { name: "mine", files: playbookFiles({ name: "mine" }), visibility: "private" });
const tool = await publish(owner, {
  ...{ name: "tool", visibility: "private" },
  files: skillFiles({ "SKILL.md": "---\nname: tool\ndescription: A tool.\n---\n# T\n", "run.sh*": "#!/bin/sh\n" }),
});
const other = await person();
await publish(other, { name: "theirs", files: playbookFiles({ name: "theirs" }), visibility: "private" });
await publish(other, { name: "shared", files: playbookFiles({ name: "shared" }) });

type Made = { id: string; url: string; prefix: string; expiresAt: string; scope: { label: string } };
const make = async (json: Record<string, unknown>, token = owner.token) => {
  const response = await ask("/api/capability-urls", { method: "POST", token, json: { name: "laptop", ...json } });
  return { status: response.status, body: (await response.json()) as Made };
};
const pathOf = ({ url }: Made) => new URL(url).pathname;
const index = (path: string) => `${path}/.well-known/agent-skills/index.json`;
const namesAt = async (path: string) => (await readIndex(path)).skills.map(({ name }) => name);

afterEach(() => {
  vi.useRealTimers();
});

test("it shows what its person can use, within its scope, and clients install through it", async () => {
  const { status, body } = await make({});
  expect([status, body.url]).toEqual([201, expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/t\/sgc_[\w-]{43}$/)]);
  const path = pathOf(body);
  expect(await namesAt(path)).toEqual(["mine", "shared", "tool"]);
  expect(Object.keys(await install(path)).sort()).toEqual(["mine", "shared", "tool"]);
  expect((await ask(`${path}/.well-known/skills/tool/run.sh`)).status).toBe(200);
  expect((await ask(index(path))).headers.get("cache-control")).toBe("private, no-store");
  // The archives of private skills need the token too.
  expect((await ask(`/a/tool/${tool.digest}.zip`)).status).toBe(404);
  const one = await make({ scope: { kind: "skill", id: "tool" } });
  expect(one.body.scope.label).toBe("tool");
  expect(await namesAt(pathOf(one.body))).toEqual(["tool"]);
  expect((await ask(`${pathOf(one.body)}/a/mine/${mine.digest}/SKILL.md`)).status).toBe(404);
  expect(await namesAt(pathOf((await make({ scope: { kind: "publisher", id: mine.handle } })).body))).toEqual([
    "mine",
    "tool",
  ]);
});

test("it is stored hashed, and neither lists, nor errors, nor the audit log hold it", async () => {
  const { body } = await make({ name: "hidden" });
  const token = pathOf(body).split("/").at(-1) ?? "";
  const listed = await (await ask("/api/capability-urls", { token: owner.token })).text();
  expect(listed).toContain(body.prefix);
  const missing = await ask(`/t/${token}/.well-known/skills/none/SKILL.md`);
  expect(missing.status).toBe(404);
  const texts = [listed, await missing.text(), JSON.stringify(await database.reader.capabilityUrl.findMany())];
  await ask("/api/capability-urls", { token: other.token });
  texts.push(
    JSON.stringify(await database.reader.auditEvent.findMany(), (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    ),
  );
  for (const text of texts) expect(text.includes(token)).toBe(false);
  expect(texts[3]).toContain(body.prefix);
});

test("a refusal is recorded with no more than its beginning", async () => {
  const { body } = await make({ name: "refused" });
  const token = pathOf(body).split("/").at(-1) ?? "";
  // A bad credential is refused before anything is read.
  expect((await ask(index(`/t/${token}`), { token: `sgt_${"x".repeat(40)}` })).status).toBe(401);
  const events = await database.reader.auditEvent.findMany({ where: { action: "request.refuse" } });
  const texts = events.map(({ summary, data }) => `${summary} ${data}`);
  expect(texts.some((text) => text.includes(token.slice(0, 10)))).toBe(true);
  expect(texts.some((text) => text.includes(token.slice(0, 12)))).toBe(false);
});

test("a revoked or expired URL, or one of a disabled person, is gone; an unknown one is not found", async () => {
  const { body } = await make({});
  const removed = await ask(`/api/capability-urls/${body.id}`, { method: "DELETE", token: other.token });
  expect(removed.status).toBe(404);
  expect((await ask(`/api/capability-urls/${body.id}`, { method: "DELETE", token: owner.token })).status).toBe(204);
  for (const path of [index(pathOf(body)), `${pathOf(body)}/a/tool/${tool.digest}.zip`]) {
    expect((await ask(path)).status).toBe(410);
  }
  const short = await make({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
  expect((await ask(index(pathOf(short.body)))).status).toBe(200);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
  expect((await ask(index(pathOf(short.body)))).status).toBe(410);
  vi.useRealTimers();
  const leaver = await person();
  const left = await make({}, leaver.token);
  await database.writer.user.update({ where: { id: leaver.id }, data: { state: "disabled" } });
  expect((await ask(index(pathOf(left.body)))).status).toBe(410);
  expect((await ask(index(`/t/sgc_${"x".repeat(43)}`))).status).toBe(404);
});

test("it reads and does nothing else", async () => {
  const { body } = await make({});
  const token = pathOf(body).split("/").at(-1) ?? "";
  expect((await ask("/api/capability-urls", { token })).status).toBe(401);
  expect((await ask("/api/distribution/client-activity", { token })).status).toBe(401);
});

test("it lasts at most a year, and no longer than the token it is made with", async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  for (const expiresAt of [inDays(400), inDays(-1)]) {
    expect(await make({ expiresAt })).toMatchObject({ status: 422, body: { errors: [{ path: "expiresAt" }] } });
  }
  expect((await make({ expiresAt: inDays(360) })).status).toBe(201);
  const short = await person();
  await database.writer.apiToken.updateMany({ where: { userId: short.id }, data: { expiresAt: new Date(inDays(2)) } });
  expect((await make({ expiresAt: inDays(30) }, short.token)).status).toBe(422);
  const { body } = await make({}, short.token);
  expect(Date.parse(body.expiresAt)).toBeLessThan(Date.parse(inDays(3)));
});

test("what cannot be seen cannot be covered, and what is gone covers nothing", async () => {
  const hidden = await database.reader.skill.findFirstOrThrow({ where: { name: "theirs" } });
  expect((await make({ scope: { kind: "skill", id: hidden.id } })).status).toBe(404);
  expect((await make({ scope: { kind: "collection", id: "none" } })).status).toBe(404);
  expect((await make({ scope: { kind: "publisher", id: "none" } })).status).toBe(404);
  expect((await make({ persona: "none" })).status).toBe(422);
  const gone = await publish(owner, { name: "gone", files: playbookFiles({ name: "gone" }), visibility: "private" });
  const { body } = await make({ scope: { kind: "skill", id: gone.id } });
  expect(await namesAt(pathOf(body))).toEqual(["gone"]);
  await deleteSkill(admin.ctx, gone.id);
  expect(await namesAt(pathOf(body))).toEqual([]);
});

test("under a persona it shows what its agents are shown", async () => {
  const at = new Date();
  const persona = { id: newId(), name: "narrow", permissionMode: "read-only", allow: '["mine"]', deny: "[]" };
  await database.writer.persona.create({ data: { ...persona, createdAt: at, updatedAt: at } });
  const { body } = await make({ persona: persona.id });
  expect(await namesAt(pathOf(body))).toEqual(["mine"]);
  await database.writer.persona.update({ where: { id: persona.id }, data: { allow: "[]" } });
  // Agents are not offered a skill with a script that no reviewer granted.
  expect(await namesAt(pathOf(body))).toEqual(["mine"]);
});

test("what its owner approved alone is had with the owner's token, and neither by an address nor by other people", async () => {
  await updateSettings(admin.ctx, { soloMode: false });
  const lone = await person();
  const upload = await zipUpload("own", playbookFiles({ name: "for-me" }));
  const [skill] = (await importSkills(lone.ctx, { ...upload, owner: "me" })).skills;
  const id = skill?.id ?? "";
  const digest = skill?.pendingVersion?.digest ?? "";
  await decideVersion(lone.ctx, id, digest, { decision: "approve", comment: "" });
  await updateSkill(lone.ctx, id, { enabled: true });
  const { handle } = await publisherOf(lone.ctx, { ownerKey: lone.id });
  const paths: string[] = [];
  for (const scope of [
    { kind: "root" },
    { kind: "publisher", id: handle },
    { kind: "collection", id: await collect(id) },
  ]) {
    const { status, body } = await make({ scope }, lone.token);
    expect(status).toBe(201);
    paths.push(pathOf(body));
  }
  const bound = pathOf((await make({ scope: { kind: "skill", id } }, lone.token)).body);
  const artifact = (path: string) => `${path}/a/for-me/${digest}.zip`;
  const statuses = (asked: string[], token?: string) =>
    Promise.all(asked.map(async (path) => (await ask(path, token === undefined ? {} : { token })).status));
  for (const path of paths) expect(await namesAt(path)).not.toContain("for-me");
  expect(await namesAt(bound)).toEqual([]);
  expect(await statuses([...paths, bound, ""].map(artifact))).toEqual([404, 404, 404, 404, 404]);
  const pinned = index(`/s/${handle}/for-me@${digest}`);
  expect(await statuses([artifact(""), pinned], lone.token)).toEqual([200, 200]);
  expect(await statuses([artifact(""), pinned], admin.token)).toEqual([404, 404]);
  expect((await readIndex("", { token: lone.token })).skills.map(({ name }) => name)).toContain("for-me");
  expect((await readIndex("", { token: admin.token })).skills.map(({ name }) => name)).not.toContain("for-me");
  await decideVersion(admin.ctx, id, digest, { decision: "approve", comment: "" });
  for (const path of [...paths, bound]) expect(await namesAt(path)).toContain("for-me");
  expect(await statuses([...paths, bound].map(artifact))).toEqual([200, 200, 200, 200]);

  async function collect(skillId: string): Promise<string> {
    const made = await createCollection(
      lone.ctx,
      CreateCollectionInput.parse({ title: "Mine", visibility: "private" }),
    );
    await addToCollection(lone.ctx, made.slug, AddToCollectionInput.parse({ skill: skillId }));
    return made.id;
  }
});
