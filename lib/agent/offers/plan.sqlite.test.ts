import { expect, test } from "vitest";
import { testDatabase } from "@/lib/testing/test-database";

const { database } = await testDatabase();

test("what is not switched on costs nothing: the switch's index is asked", async () => {
  const plan = await database.reader.$queryRaw<{ detail: string }[]>`
    EXPLAIN QUERY PLAN SELECT s."id" FROM "Skill" s JOIN "Version" v ON v."id" = s."currentId"
    WHERE s."enabled" = ${true} AND s."deletedAt" IS NULL ORDER BY s."id"`;
  const details = plan.map(({ detail }) => detail).join("\n");
  expect(details).toContain("Skill_enabled_deletedAt_idx");
  expect(details).not.toContain("SCAN");
});
