import JSZip from "jszip";
import { expect, test } from "vitest";
import { createPersona } from "@/lib/auth/personas";
import { sha256Hex } from "@/lib/core/hash";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { exportSkills } from "./export-skills";
import { importSkills } from "./import-skills";

const { database, person } = await testDatabase();
const admin = await person("admin", "Root");
const owner = await person("user", "Ada");
const one = await approvedSkill(owner.ctx, admin.ctx, { name: "one_pack" });
await approvedSkill(owner.ctx, admin.ctx, { name: "two_pack" });
const waiting = await zipUpload("pack", packFiles({ name: "waiting_pack" }));
await importSkills(owner.ctx, { ...waiting, owner: "me" });

test("everything one sees, with the digests of what is in it, and it can be imported again", async () => {
  const { bytes, manifest } = await exportSkills(owner.ctx, {});
  expect(manifest.skills.map(({ name, state }) => [name, state])).toEqual([
    ["one_pack", "approved"],
    ["two_pack", "approved"],
    ["waiting_pack", "pending"],
  ]);
  const zip = await JSZip.loadAsync(bytes);
  expect(JSON.parse((await zip.file("skillgate-export.json")?.async("text")) ?? "")).toEqual(manifest);
  for (const { folder, files } of manifest.skills) {
    for (const { path, sha256 } of files) {
      const stored = await zip.file(`${folder}/${path}`)?.async("uint8array");
      expect(sha256Hex(stored ?? new Uint8Array()), `${folder}/${path}`).toBe(sha256);
    }
  }
  const again = await person("user", "Again");
  const { skills } = await importSkills(again.ctx, { filename: "skills.zip", bytes, owner: "me" });
  expect(skills.map(({ name, pendingVersion }) => [name, pendingVersion?.digest]).sort()).toEqual(
    manifest.skills.map(({ name, digest }) => [name, digest]),
  );
  const event = await database.reader.auditEvent.findFirst({ where: { action: "skill.export" } });
  expect(event?.actorId).toBe(owner.id);
});

test("chosen ones, by id or name, once; one that is not seen is not there", async () => {
  const { manifest } = await exportSkills(owner.ctx, { skills: ["two_pack", one.id, "one_pack"] });
  expect(manifest.skills.map(({ name }) => name)).toEqual(["two_pack", "one_pack"]);
  const other = await person("user", "Other");
  await expect(exportSkills(other.ctx, { skills: [one.id] })).rejects.toMatchObject({ code: "not_found" });
  expect((await exportSkills(other.ctx, {})).manifest.skills).toEqual([]);
});

test("two skills of one name lie in folders of their own", async () => {
  const twin = await person("user", "Twin");
  await approvedSkill(twin.ctx, admin.ctx, { name: "one_pack" });
  const folders = (await exportSkills(admin.ctx, {})).manifest.skills.map(({ folder }) => folder);
  expect(new Set(folders).size).toBe(folders.length);
});

test("an agent gets approved versions, without ungranted scripts", async () => {
  const persona = await createPersona(admin.ctx, { name: "Agent", permissionMode: "read-only", deny: ["two*"] });
  const { manifest } = await exportSkills(owner.token(["read"], persona.id), {});
  expect(manifest.skills.map(({ name, withheld }) => [name, withheld])).toEqual([["one_pack", 1]]);
  expect(manifest.left.map(({ name }) => name)).toEqual(["waiting_pack"]);
});

test("more than fit in one file are refused", async () => {
  const skills = Array.from({ length: 501 }, (_, index) => `skill-${index}`);
  await expect(exportSkills(owner.ctx, { skills })).rejects.toMatchObject({ code: "too_large" });
});

test("many at once wait for each other, and those beyond ten are refused; one whose client left gives up its place", async () => {
  const left = new AbortController();
  const asked = Array.from({ length: 14 }, (_, index) =>
    exportSkills(owner.ctx, {}, index === 5 ? { signal: left.signal } : {}),
  );
  left.abort();
  const settled = await Promise.allSettled(asked);
  const refused = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refused).toHaveLength(3);
  expect(refused.filter(({ code }) => code === "unavailable")).toHaveLength(2);
  expect((await exportSkills(owner.ctx, {})).manifest.skills).toHaveLength(3);
});
