import { expect, test } from "vitest";
import { getSkill } from "@/lib/skills/get-skill";
import { listSkills } from "@/lib/skills/list-skills";
import { ListSkillsQuery } from "@/lib/skills/schema";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";

const { person, outside } = await testDatabase();
const [owner, reviewer] = [await person("user", "Priya"), await person("reviewer", "Ben")];
const signatureOf = async (id: string) => {
  const { items } = await listSkills(owner.ctx, ListSkillsQuery.parse({}));
  const listed = items.find((skill) => skill.id === id)?.trust.signature;
  expect((await getSkill(owner.ctx, id)).trust.signature).toBe(listed);
  return listed;
};

const ofVersion = `"versionId" = (SELECT "currentId" FROM "Skill" WHERE "id" = ?)`;
const approval = `"skillId" = ? AND "action" = 'version.approve'`;

test.each([
  ["class of the version", `UPDATE "Version" SET "class" = 'dangerous' WHERE "skillId" = ?`],
  ["manifest of the version", `UPDATE "Version" SET "manifest" = replace("manifest", 'a', 'b') WHERE "skillId" = ?`],
  ["signature of the decision", `UPDATE "Decision" SET "signature" = 'AAAA' WHERE ${ofVersion}`],
  ["comment of the decision", `UPDATE "Decision" SET "comment" = 'other' WHERE ${ofVersion}`],
  ["decision, removed", `DELETE FROM "Decision" WHERE ${ofVersion}`],
  ["mode of a file", `UPDATE "VersionFile" SET "mode" = '100600' WHERE ${ofVersion}`],
  ["file, removed", `DELETE FROM "VersionFile" WHERE ${ofVersion}`],
  [
    "file, added",
    `INSERT INTO "VersionFile" ("versionId", "path", "mode", "sha256", "size", "isText")
     SELECT "versionId", 'added', "mode", "sha256", "size", "isText" FROM "VersionFile" WHERE ${ofVersion} LIMIT 1`,
  ],
  ["owner of the skill", `UPDATE "Skill" SET "ownerKey" = 'org' WHERE "id" = ?`],
  ["event of the approval", `UPDATE "AuditEvent" SET "data" = '{}' WHERE ${approval}`],
  ["event of a later revocation", `UPDATE "AuditEvent" SET "action" = 'version.revoke' WHERE ${approval}`],
])("a skill that was listed as verified is listed as failed after a change of the %s", async (what, statement) => {
  const { id } = await approvedSkill(owner.ctx, reviewer.ctx, { name: `kept_${what.replace(/\W+/g, "_")}` });
  expect(await signatureOf(id)).toBe("verified");
  expect(await signatureOf(id)).toBe("verified");
  await outside(statement, id);
  expect(await signatureOf(id)).toBe("failed");
});
