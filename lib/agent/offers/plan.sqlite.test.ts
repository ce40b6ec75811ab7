import { expect, test } from "vitest";
import { testDatabase } from "@/lib/testing/test-database";

const { database } = await testDatabase();

test("disabled skills cost nothing: the query uses the index on the switch", async () => {
  const plan = await database.reader.$queryRaw<{ detail: string }[]>`
    EXPLAIN QUERY PLAN SELECT s."id" FROM "Skill" s JOIN "Version" v ON v."id" = s."currentId"
    WHERE s."enabled" = ${true} AND s."deletedAt" IS NULL ORDER BY s."id"`;
  const details = plan.map(({ detail }) => detail).join("\n");
  expect(details).toContain("Skill_enabled_deletedAt_idx");
  expect(details).not.toContain("SCAN");
});
