import { expect, test } from "vitest";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { getVersion } from "@/lib/skills/versions/get-version";
import { playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { decideVersion } from "./decide-version";
import { scanVersion } from "./scan-version";

const { person, database } = await testDatabase();
const owner = await person("user");
const reviewer = await person("reviewer");
const HOOKS = "hooks/hooks.json";

async function bringIn(name: string) {
  const hook = { path: HOOKS, mode: "644" as const, bytes: new TextEncoder().encode('{"hooks":{"SessionStart":[]}}') };
  const files = [...playbookFiles({ name, body: "Read it.\n" }), hook];
  const [skill] = (await importSkills(owner.ctx, { ...(await zipUpload(name, files)), owner: "me" })).skills;
  const [id, digest] = [skill?.id ?? "", skill?.pendingVersion?.digest ?? ""];
  const { id: versionId } = await database.reader.version.findFirstOrThrow({ where: { skillId: id } });
  return { id, digest, versionId };
}

const storedOf = async (id: string) => (await database.reader.version.findUniqueOrThrow({ where: { id } })).manifest;

/** As stored by a release that did not look for executables. */
async function forget(versionId: string): Promise<string> {
  const { carries: _, ...before } = JSON.parse(await storedOf(versionId));
  const manifest = JSON.stringify(before);
  await database.writer.version.update({ where: { id: versionId }, data: { manifest } });
  return manifest;
}

test("a scan adds executables to a pending version and leaves signed manifests unchanged", async () => {
  const waiting = await bringIn("waiting");
  await forget(waiting.versionId);
  await scanVersion(reviewer.ctx, waiting.versionId);
  expect(await storedOf(waiting.versionId)).toContain(HOOKS);

  const signed = await bringIn("signed");
  const before = await forget(signed.versionId);
  await decideVersion(reviewer.ctx, signed.id, signed.digest, { decision: "approve", comment: "read" });
  await scanVersion(reviewer.ctx, signed.versionId);
  expect(await storedOf(signed.versionId)).toBe(before);
  expect((await getVersion(reviewer.ctx, signed.id, signed.digest)).trust.signature).toBe("verified");
});
