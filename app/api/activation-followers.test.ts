import { expect, test } from "vitest";
import { Marketplace } from "@/lib/distribution/schema";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { packFiles, playbookFiles } from "@/lib/testing/sample-packs";
import { distributionWorld } from "./distribution/testing/distribution-world";
import { ROUTE_TABLE } from "./testing/route-table";

const { ask, call, person, admin, publish, readIndex, install, database } = await distributionWorld(ROUTE_TABLE);
const owner = await person();
await call("PATCH", "/api/admin/settings", { token: admin.token, json: { dangerousWithoutSandbox: true } });

async function api(method: string, address: string, token: string, json?: unknown) {
  const response = await call(method, address, { token, ...(json === undefined ? {} : { json }) });
  expect(response.status, `${method} ${address}`).toBeLessThan(300);
  return response.json();
}
const activate = (id: string, digest: string) =>
  api("POST", `/api/skills/${id}/versions/${digest}/activate`, admin.token);
const text = (content: string) => new TextEncoder().encode(content);

test("indexes, downloads, the marketplace, ClawHub, collections and agents follow an activation at once", async () => {
  const name = "rolled-notes";
  const files = (body: string) => playbookFiles({ name, body: `# Notes\n\n${body}\n` });
  const old = await publish(owner, { name, files: files("The first words.") });
  const now = await publish(owner, { name, files: files("Other words.") });
  const at = new Date();
  const collection = {
    id: "back",
    slug: "back",
    title: "Back",
    description: "",
    visibility: "public",
    ownerId: owner.id,
  };
  await database.writer.collection.create({
    data: { ...collection, createdAt: at, updatedAt: at, skills: { create: [{ skillId: old.id, position: 0 }] } },
  });
  const persona = await api("POST", "/api/admin/personas", admin.token, { name: "p", permissionMode: "read-only" });
  const agent = await api("POST", "/api/tokens", owner.token, { name: "a", scopes: ["read"], persona: persona.id });
  const seen = async () => {
    const indexes = await Promise.all(["", `/s/${old.handle}/${name}`, "/c/back"].map((scope) => readIndex(scope)));
    const marketplace = Marketplace.parse(await (await ask("/marketplace.json")).json());
    const claw = await (await ask(`/api/v1/skills/${name}`)).json();
    const instructions = await api("GET", `/api/skills/${name}/instructions`, agent.token);
    return {
      index: indexes.flatMap(({ skills }) => skills.map(({ url, version }) => [url.split("/")[3], version])),
      installed: (await install())[name]?.["SKILL.md"],
      marketplace: marketplace.plugins.find((plugin) => plugin.name.includes(name))?.version,
      latest: claw.latestVersion.version,
      agent: [instructions.digest, instructions.instructions.trim()],
      again: (await ask(`/a/${name}/${now.digest}/SKILL.md`)).status,
    };
  };
  const expected = (digest: string, version: string, words: string) => ({
    index: [
      [digest, version],
      [digest, version],
      [digest, version],
    ],
    installed: expect.stringContaining(words),
    marketplace: expect.stringContaining(version),
    latest: version,
    agent: [digest, `# Notes\n\n${words}`],
    again: 200,
  });
  expect(await seen()).toEqual(expected(now.digest, "1.1.0", "Other words."));
  await activate(old.id, old.digest);
  expect(await seen()).toEqual(expected(old.digest, "1.0.0", "The first words."));
  await activate(old.id, now.digest);
  expect(await seen()).toEqual(expected(now.digest, "1.1.0", "Other words."));
});

test("runs, schedules and the steps of pipelines start the version that was made active", async () => {
  const schema = { schema: { type: "object" } };
  const pack = (line: string): SkillFile[] =>
    packFiles({ name: "rolled_step", script: `#!/bin/sh\n# ${line}\ncat\n`, manifest: schema });
  const old = await publish(owner, { name: "rolled_step", files: pack("one") });
  const now = await publish(owner, { name: "rolled_step", files: pack("two") });
  const toml = `[skill]\nname = "rolled_line"\ndescription = "One step."\n[[skill.steps]]\nskill_name = "rolled_step"\narguments_template = '''{}'''\n`;
  const line = await publish(owner, {
    name: "rolled_line",
    files: [{ path: "skill.toml", mode: "644", bytes: text(toml) }],
  });
  const schedule = await api("POST", "/api/schedules", owner.token, {
    ...{ name: "back", skill: old.id, cron: "0 3 1 1 *", confirm: true },
  });
  const started = async () => {
    const plain = await api("POST", `/api/skills/${old.id}/runs`, owner.token, { args: {}, confirm: true });
    const fired = await api("POST", `/api/schedules/${schedule.id}/run`, owner.token);
    await api("POST", `/api/skills/${line.id}/runs`, owner.token, { args: {}, confirm: true });
    const step = await database.reader.run.findFirstOrThrow({
      where: { skillId: old.id, parentRunId: { not: null } },
      orderBy: { id: "desc" },
    });
    return [plain.versionDigest, fired.versionDigest, step.versionDigest];
  };
  expect(await started()).toEqual([now.digest, now.digest, now.digest]);
  await activate(old.id, old.digest);
  expect(await started()).toEqual([old.digest, old.digest, old.digest]);
  await api("POST", `/api/skills/${old.id}/versions/${old.digest}/decisions`, admin.token, {
    ...{ decision: "revoke", comment: "Bad.", activate: now.digest },
  });
  expect(await started()).toEqual([now.digest, now.digest, now.digest]);
});
