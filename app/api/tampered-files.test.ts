import JSZip from "jszip";
import { expect, test } from "vitest";
import type { RequestContext } from "@/lib/agent/mcp/request-context";
import { listManifests } from "@/lib/agent/mcp/skill-manifests";
import { createCtx } from "@/lib/db/context";
import { ExportManifest } from "@/lib/skills/transfer/schema";
import { clearTampered } from "@/lib/skills/versions/read-blob";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

const { call, person, database } = await testServer(ROUTE_TABLE);
const [admin, owner, reviewer] = [await person("admin"), await person("user"), await person("reviewer")];
await call("PATCH", "/api/admin/settings", { token: admin.token, json: { soloMode: false } });

async function approved(files: ReturnType<typeof packFiles>) {
  const { filename, bytes } = await zipUpload("pack", files);
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], filename));
  const imported = await call("POST", "/api/skills/import", { token: owner.token, body: form });
  const [{ id, pendingVersion }] = (await imported.json()).skills;
  const version = `/api/skills/${id}/versions/${pendingVersion.digest}`;
  const json = { decision: "approve", comment: "read" };
  expect((await call("POST", `${version}/decisions`, { token: reviewer.token, json })).status).toBe(200);
  await call("PATCH", `/api/skills/${id}`, { token: owner.token, json: { enabled: true } });
  return { id: id as string, version, digest: pendingVersion.digest as string };
}

async function change(skillId: string, path: string) {
  const { sha256 } = await database.reader.versionFile.findFirstOrThrow({ where: { path, version: { skillId } } });
  const { bytes } = await database.reader.blob.findUniqueOrThrow({ where: { sha256 } });
  const write = (now: Uint8Array<ArrayBuffer>) =>
    database.writer.blob.update({ where: { sha256 }, data: { bytes: now } });
  await write(new TextEncoder().encode("other bytes"));
  return () => write(new Uint8Array(bytes));
}

const events = (skillId: string, action: string) => database.reader.auditEvent.count({ where: { skillId, action } });

test("changed bytes answer 409 wherever they are read, trust says so, and it is over when they are right again", async () => {
  const { id, version, digest } = await approved(
    packFiles({ name: "changed_bytes", script: "#!/bin/sh\n# only here\ncat\n" }),
  );
  const read = (address: string) => call("GET", address, { token: owner.token });
  const trust = async () => (await (await read(`/api/skills/${id}`)).json()).trust.signature;
  expect(await trust()).toBe("verified");
  const restore = await change(id, "run.sh");
  for (const address of [`${version}/files/run.sh`, `/api/skills/${id}/export`]) {
    const answer = await read(address);
    const problem = await answer.json();
    expect([address, answer.status, problem.code, problem.detail]).toEqual([
      address,
      409,
      "version_tampered",
      expect.stringMatching(/run\.sh.*Restore the database from a backup/),
    ]);
  }
  expect(await events(id, "version.tampered")).toBe(1);
  expect(await trust()).toBe("failed");
  expect((await (await read(version)).json()).trust).toMatchObject({
    signature: "failed",
    problem: expect.stringContaining("run.sh"),
  });
  // An export of several skills contains the others, and lists the missing one.
  const kept = await approved(playbookFiles({ name: "kept-notes", body: "As approved.\n" }));
  const zip = await JSZip.loadAsync(await (await read("/api/export")).arrayBuffer());
  const manifest = ExportManifest.parse(JSON.parse((await zip.file("skillgate-export.json")?.async("text")) ?? ""));
  expect(manifest.skills.map(({ id }) => id)).toEqual([kept.id]);
  expect(manifest.left).toEqual([
    { id, name: "changed_bytes", reason: expect.stringContaining("do not match its digest") },
  ]);
  // An unchanged file is read as before.
  expect((await read(`${version}/files/skill.json`)).status).toBe(200);

  const system = createCtx({ actor: { kind: "system", name: "test" }, database });
  expect(await clearTampered(system)).toBe(0);
  await restore();
  expect(await trust()).toBe("verified");
  expect((await read(`/api/skills/${id}/export`)).status).toBe(200);
  expect(await clearTampered(system)).toBe(1);
  expect(await events(id, "version.restored")).toBe(1);
  expect(digest).toHaveLength(64);
});

test("bytes that are gone are a problem of the same kind", async () => {
  const { id, version } = await approved(playbookFiles({ name: "gone-bytes", body: "Only here.\n" }));
  const { sha256 } = await database.reader.versionFile.findFirstOrThrow({ where: { version: { skillId: id } } });
  await database.writer.blob.delete({ where: { sha256 } });
  const answer = await call("GET", `${version}/files/SKILL.md`, { token: owner.token });
  expect([answer.status, (await answer.json()).code]).toEqual([409, "version_tampered"]);
});

test.each([true, false])("other programs get the same problem, with a package made before: %s", async (wasPacked) => {
  const name = `travels-${wasPacked}`;
  const { id, digest } = await approved(playbookFiles({ name, body: `Packed before: ${wasPacked}.\n` }));
  const read = (address: string) => call("GET", address, { token: owner.token });
  const listed = async () => {
    const actor = { kind: "user" as const, userId: owner.id, name: "", email: "", role: "user" as const };
    const ctx = createCtx({ actor: { ...actor, sessionId: owner.id }, database });
    const { skills } = await listManifests({ ctx, session: { canConfirm: false } } as RequestContext, {
      method: "skills/list",
      params: {},
    });
    return skills.map(({ uri }) => uri);
  };
  // The list names the version already; its archive is not made yet.
  if (wasPacked) expect((await read(`/api/v1/skills/${name}`)).status).toBe(200);
  await change(id, "SKILL.md");
  for (const address of [`/api/v1/download?slug=${name}`, `/api/distribution/artifacts/root/${name}/${digest}.zip`]) {
    const answer = await read(address);
    const text = await answer.text();
    expect([address, answer.status, text]).toEqual([address, 409, expect.stringContaining("SKILL.md")]);
  }
  expect(await events(id, "version.tampered")).toBe(1);
  // Lists of several skills leave it out and still answer.
  const kept = `stays-${wasPacked}`;
  await approved(playbookFiles({ name: kept, body: "As approved.\n" }));
  expect(await listed()).toContain(`skill://${kept}/SKILL.md`);
  expect(await listed()).not.toContain(`skill://${name}/SKILL.md`);
});
