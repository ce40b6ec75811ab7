import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { createCollection } from "@/lib/skills/community/edit-collections";
import { publisherOf } from "@/lib/skills/community/publishers";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { listPublished } from "./list-published";
import type { DistributionScope } from "./scope";
import { activeVersions } from "./viewer-list";

const { database, outside, person, system, as } = await testDatabase();
const [admin, reviewer, owner, other] = [
  await person("admin"),
  await person("reviewer"),
  await person("user", "Olga Owner"),
  await person("user", "Otto Other"),
];
const skills = [
  await approvedSkill(owner.ctx, reviewer.ctx, { name: "first" }),
  await approvedSkill(owner.ctx, reviewer.ctx, { name: "second" }),
  await approvedSkill(other.ctx, reviewer.ctx, { name: "first" }),
  await approvedSkill(other.ctx, reviewer.ctx, { name: "fourth" }),
];
const { slug, id: collectionId } = await createCollection(owner.ctx, { title: "Some", visibility: "public" });
const { handle } = await publisherOf(system, { ownerKey: owner.id });
const agent = await agentOf(admin.ctx, owner, { permissionMode: "read-only" });
const capability = as({
  ...{ kind: "token", userId: owner.id, name: "", email: "", role: "user", tokenId: "c", tokenName: "url" },
  ...{ scopes: ["read"], personaId: null, isCapabilityUrl: true },
});

const VIEWERS: Record<string, Ctx> = {
  anonymous: as({ kind: "anonymous" }),
  owner: owner.token(["read"]),
  other: other.token(["read"]),
  reviewer: reviewer.token(["read"]),
  agent: agent.ctx,
  capability,
};
const SCOPES: DistributionScope[] = [
  { kind: "root" },
  { kind: "publisher", handle },
  { kind: "collection", slug },
  { kind: "bound", to: "skill", id: skills[0]?.id ?? "" },
];

const versionOf = `(SELECT "currentId" FROM "Skill" WHERE "id" = ?)`;
const AT = "'2026-01-01T00:00:00.000+00:00'";
const flip = (column: string, one: string, two: string) =>
  `"${column}" = CASE WHEN "${column}" = ${one} THEN ${two} ELSE ${one} END`;
const flipNull = (column: string, value: string) =>
  `"${column}" = CASE WHEN "${column}" IS NULL THEN ${value} ELSE NULL END`;
const ofSkill = (set: string) => `UPDATE "Skill" SET ${set} WHERE "id" = ?`;
const ofVersion = (set: string) => `UPDATE "Version" SET ${set} WHERE "id" = ${versionOf}`;

/** Unless the new owner has a skill of that name. */
const giveTo = (key: string, id: string) =>
  `${ofSkill(`"ownerKey" = '${key}', "ownerId" = ${id}`)} AND NOT EXISTS
     (SELECT 1 FROM "Skill" o WHERE o."ownerKey" = '${key}' AND o."liveSlug" = "Skill"."liveSlug")`;

/** Changes of everything that the list depends on, each for one skill; most undo themselves when repeated. */
const CHANGES: Record<string, string> = {
  enabled: ofSkill(`"enabled" = NOT "enabled"`),
  listed: ofSkill(`"listed" = NOT "listed"`),
  visibility: ofSkill(flip("visibility", "'public'", "'private'")),
  deleted: ofSkill(flipNull("deletedAt", '"createdAt"')),
  label: ofSkill(flipNull("label", "'Label'")),
  category: ofSkill(flip("category", "'general'", "'other'")),
  license: ofSkill(flipNull("license", "'MIT-0'")),
  tags: ofSkill(flip("tags", "'[]'", `'["a"]'`)),
  class: ofSkill(flip("class", "'safe'", "'mutating'")),
  owner: giveTo(other.id, `'${other.id}'`),
  shared: giveTo("org", "NULL"),
  deprecated: ofSkill(`${flipNull("deprecatedAt", '"createdAt"')}, "replacedById" = '${skills[3]?.id}'`),
  reason: ofSkill(flipNull("deprecatedReason", "'Old.'")),
  state: ofVersion(flip("state", "'approved'", "'revoked'")),
  tampered: ofVersion(flipNull("tampered", "'was changed'")),
  changelog: ofVersion(flipNull("changelog", "'More.'")),
  decided: ofVersion(flipNull("decidedAt", '"createdAt"')),
  author: ofVersion(`"createdById" = '${other.id}'`),
  grants: ofVersion(flip("grants", `'{"scripts":true}'`, `'{}'`)),
  standing: `UPDATE "Decision" SET ${flip("standing", "'counts'", "'void'")} WHERE "versionId" = ${versionOf}`,
  statement: `UPDATE "Decision" SET "statement" = 'unreadable' WHERE "versionId" = ${versionOf}`,
  package: `UPDATE "DoorPackage" SET ${flip("form", "'none'", "'spec'")} WHERE "versionId" = ${versionOf}`,
  repackage: `DELETE FROM "DoorPackage" WHERE "versionId" = ${versionOf}`,
  publisher: `UPDATE "Publisher" SET ${flip("displayName", "'A'", "'B'")} WHERE "userId" = (SELECT "ownerId" FROM "Skill" WHERE "id" = ?)`,
  adopt: `INSERT INTO "Adoption" ("userId", "skillId", "createdAt") VALUES ('${owner.id}', ?, ${AT}) ON CONFLICT DO NOTHING`,
  abandon: `DELETE FROM "Adoption" WHERE "skillId" = ?`,
  persona: `UPDATE "Persona" SET "deny" = (SELECT CASE WHEN "deny" = '[]' THEN '["' || "name" || '"]' ELSE '[]' END FROM "Skill" WHERE "id" = ?)`,
  mode: `UPDATE "Persona" SET ${flip("permissionMode", "'read-only'", "'dual-sign-required'")} WHERE CAST(? AS TEXT) <> ''`,
  policy: `INSERT INTO "Setting" ("key", "value", "updatedAt") VALUES ('eligibility', (SELECT '{"entries":{"' || "name" ||
    '":{"enabled":false}}}' FROM "Skill" WHERE "id" = ?), ${AT}) ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"`,
  "no policy": `DELETE FROM "Setting" WHERE "key" = 'eligibility' AND CAST(? AS TEXT) <> ''`,
  collect: `INSERT INTO "CollectionSkill" ("collectionId", "skillId", "position") VALUES ('${collectionId}', ?, 1) ON CONFLICT DO NOTHING`,
  uncollect: `DELETE FROM "CollectionSkill" WHERE "skillId" = ?`,
};

const statements = await outside(`SELECT "id", "statement" FROM "Decision"`);

/** Shows all skills to everyone again. */
async function reset(): Promise<void> {
  await outside(`UPDATE "Skill" SET "enabled" = true, "listed" = true, "deletedAt" = NULL, "visibility" = 'public'`);
  await outside(`UPDATE "Version" SET "state" = 'approved', "tampered" = NULL`);
  await outside(`UPDATE "Decision" SET "standing" = 'counts'`);
  for (const { id, statement } of statements)
    await outside(`UPDATE "Decision" SET "statement" = ? WHERE "id" = ?`, statement, id);
  await outside(`UPDATE "Persona" SET "deny" = '[]'`);
  await outside(`UPDATE "DoorPackage" SET "form" = 'spec'`);
  await outside(`DELETE FROM "Setting" WHERE "key" = 'eligibility'`);
}

async function listAll(ctx: Ctx): Promise<string> {
  const lists = [];
  for (const scope of SCOPES)
    lists.push((await listPublished(ctx, scope)).map(({ package: { form }, ...one }) => ({ ...one, form })));
  lists.push(await listPublished(ctx, { kind: "root" }, { name: "first" }));
  return JSON.stringify(lists);
}

/** Inside a transaction nothing is kept. */
const listFresh = (ctx: Ctx) => inTransaction(ctx, (_tx, txCtx) => listAll(txCtx));

test("after any change of rights or contents, by any process, every viewer gets the list of a fresh read", async () => {
  const change = fc.record({ name: fc.constantFrom(...Object.keys(CHANGES)), skill: fc.constantFrom(...skills) });
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      await reset();
      for (const { name, skill } of changes) await outside(CHANGES[name] ?? "", skill.id);
      for (const [viewer, ctx] of Object.entries(VIEWERS)) {
        const kept = await listAll(ctx);
        expect(kept, viewer).toBe(await listFresh(ctx));
        seen.add(`${viewer} ${kept}`);
      }
    }),
    { numRuns: 30 },
  );
  expect(seen.size).toBeGreaterThan(Object.keys(VIEWERS).length * 5);
}, 120_000);

test("a viewer's list is the same object until something changes, and each viewer has an own one", async () => {
  const root = { kind: "root" } as const;
  await reset();
  const list = await listPublished(VIEWERS.owner ?? system, root);
  expect(await listPublished(owner.token(["read"]), root)).toBe(list);
  expect(await listPublished(VIEWERS.other ?? system, root)).not.toBe(list);
  const versions = await activeVersions(system);
  expect(await activeVersions(system)).toBe(versions);
  await outside(CHANGES.category ?? "", skills[1]?.id ?? "");
  expect(await activeVersions(system)).not.toBe(versions);
});

test("without a trigger the comparison finds the old list", async () => {
  const { dialect } = database.readSql;
  const drop = `DROP TRIGGER "Skill_published_update"${dialect === "sqlite" ? "" : ` ON "Skill"`}`;
  await inTransaction(system, async (_tx, ctx) => {
    await sqlOf(ctx).run(query(drop));
  });
  await reset();
  const before = await listAll(VIEWERS.owner ?? system);
  await outside(CHANGES.category ?? "", skills[1]?.id ?? "");
  expect(await listAll(VIEWERS.owner ?? system)).toBe(before);
  expect(await listFresh(VIEWERS.owner ?? system)).not.toBe(before);
});
