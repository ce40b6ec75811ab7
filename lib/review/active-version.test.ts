import { expect, test } from "vitest";
import { inTransaction } from "@/lib/db/in-transaction";
import { StartRunInput } from "@/lib/runner/schema";
import { startRun } from "@/lib/runner/start-run";
import { updateSettings } from "@/lib/settings/update-settings";
import { getSkill } from "@/lib/skills/get-skill";
import { getVersion } from "@/lib/skills/get-version";
import { importSkills } from "@/lib/skills/import-skills";
import { updateSkill } from "@/lib/skills/update-skill";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { decideVersion } from "./decide-version";

const { person, database } = await testDatabase();
const admin = await person("admin");
const owner = await person("user", "Priya");
const reviewer = await person("reviewer", "Ben");
await updateSettings(admin.ctx, { soloMode: false });
const approve = { decision: "approve", comment: "read" } as const;

async function bringIn(name: string, line: string) {
  const files = packFiles({ name, script: `#!/bin/sh\n# ${line}\ncat\n` });
  const [skill] = (await importSkills(owner.ctx, { ...(await zipUpload("pack", files)), owner: "me" })).skills;
  const digest = skill?.pendingVersion?.digest ?? "";
  const { id: versionId } = await database.reader.version.findFirstOrThrow({
    where: { skillId: skill?.id ?? "", digest },
  });
  return { id: skill?.id ?? "", digest, versionId };
}

const run = (id: string) => startRun(owner.ctx, id, StartRunInput.parse({ args: { text: "x" } }));
async function tampered(skillId: string): Promise<number> {
  // The event is written after the transaction that is refused.
  await inTransaction(admin.ctx, async () => {});
  return database.reader.auditEvent.count({ where: { skillId, action: "version.tampered" } });
}
const pointAt = (id: string, currentId: string) =>
  database.writer.skill.update({ where: { id }, data: { currentId, enabled: true } });

test("a skill that is pointed back at an older approved version runs nothing, and the audit tells", async () => {
  const old = await bringIn("pointed_back", "old");
  await decideVersion(reviewer.ctx, old.id, old.digest, approve);
  await updateSkill(owner.ctx, old.id, { enabled: true });
  const newer = await bringIn("pointed_back", "new");
  await decideVersion(reviewer.ctx, old.id, newer.digest, approve);
  expect(await run(old.id)).toMatchObject({ run: { versionDigest: newer.digest } });

  await pointAt(old.id, old.versionId);
  await expect(run(old.id)).rejects.toMatchObject({
    code: "not_approved",
    message: expect.stringContaining("version 2 became the active one after it"),
  });
  expect(await tampered(old.id)).toBe(1);
  expect(await getSkill(owner.ctx, old.id)).toMatchObject({ trust: { signature: "failed" } });
  expect((await getVersion(owner.ctx, old.id, old.digest)).trust.signature).toBe("failed");

  await pointAt(old.id, newer.versionId);
  expect(await run(old.id)).toMatchObject({ run: { versionDigest: newer.digest } });
  expect(await getSkill(owner.ctx, old.id)).toMatchObject({ trust: { signature: "verified" } });

  // Other terms for the older one are signed, and do not make it the active one.
  await decideVersion(reviewer.ctx, old.id, old.digest, { ...approve, grants: { timeoutSeconds: 60 } });
  expect(await run(old.id)).toMatchObject({ run: { versionDigest: newer.digest } });
  await pointAt(old.id, old.versionId);
  await expect(run(old.id)).rejects.toMatchObject({ code: "not_approved" });

  // After the active one is revoked, nothing serves, and no write makes the older one serve.
  await pointAt(old.id, newer.versionId);
  await decideVersion(reviewer.ctx, old.id, newer.digest, { decision: "revoke", comment: "a hole" });
  await pointAt(old.id, old.versionId);
  await expect(run(old.id)).rejects.toMatchObject({ code: "not_approved" });

  // The next approval is the active one.
  const last = await bringIn("pointed_back", "last");
  await decideVersion(reviewer.ctx, old.id, last.digest, approve);
  await updateSkill(owner.ctx, old.id, { enabled: true });
  expect(await run(old.id)).toMatchObject({ run: { versionDigest: last.digest } });
});

test.each(["actorName", "comment", "class", "grants", "tier"])(
  "a decision whose %s was changed does not serve",
  async (column) => {
    const { id, digest } = await bringIn(`changed_${column.toLowerCase()}`, column);
    await decideVersion(reviewer.ctx, id, digest, approve);
    await updateSkill(owner.ctx, id, { enabled: true });
    const where = { version: { skillId: id } };
    const before = await database.reader.decision.findFirstOrThrow({ where });
    const other = column === "class" ? "mutating" : column === "grants" ? '{"network":true}' : "Mara";
    await database.writer.decision.updateMany({ where, data: { [column]: other } });
    await expect(run(id)).rejects.toMatchObject({
      code: "not_approved",
      message: expect.stringContaining("shown otherwise"),
    });
    expect(await tampered(id)).toBe(1);
    const version = await getVersion(owner.ctx, id, digest);
    expect([version.trust.signature, version.decisions[0]?.trust.signature]).toEqual(["failed", "failed"]);
    await database.writer.decision.updateMany({ where, data: { [column]: before[column as "comment"] } });
    expect(await run(id)).toMatchObject({ run: { state: "queued" } });
  },
);
