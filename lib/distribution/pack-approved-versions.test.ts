import { expect, test } from "vitest";
import { decideVersion } from "@/lib/review/decide-version";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { packApprovedVersions } from "./pack-approved-versions";
import { PACKAGE_FORMAT } from "./package-files";

const { person, system, database } = await testDatabase();

test("what was approved is packed once, and again when the format is another", async () => {
  const [owner, reviewer] = [await person(), await person("reviewer")];
  const upload = await zipUpload("tidy", playbookFiles({ name: "tidy" }));
  const [skill] = (await importSkills(owner.ctx, { ...upload, owner: "me" })).skills;
  expect(await packApprovedVersions(system)).toBe(0);
  await decideVersion(reviewer.ctx, skill?.id ?? "", skill?.pendingVersion?.digest ?? "", {
    ...{ decision: "approve", comment: "" },
  });
  expect(await packApprovedVersions(system)).toBe(1);
  expect(await packApprovedVersions(system)).toBe(0);
  const [row] = await database.reader.doorPackage.findMany();
  expect(row).toMatchObject({ form: "original", name: "tidy", problem: null, format: PACKAGE_FORMAT });
  await database.writer.doorPackage.updateMany({
    data: { format: PACKAGE_FORMAT - 1, zipSha256: "of another format" },
  });
  expect(await packApprovedVersions(system)).toBe(1);
  expect(await database.reader.doorPackage.findMany()).toEqual([row]);
});
