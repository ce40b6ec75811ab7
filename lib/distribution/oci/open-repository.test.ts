import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { decideVersion } from "@/lib/review/decide-version";
import { publisherOf } from "@/lib/skills/community/publishers";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { listApproved, listPublished } from "../list-published";
import { isActive, openRepository } from "./open-repository";

const { database, outside, person, system, as } = await testDatabase();
const [admin, reviewer, owner, other] = [
  await person("admin"),
  await person("reviewer"),
  await person("user", "Olga Owner"),
  await person("user", "Otto Other"),
];
const first = await approvedSkill(owner.ctx, reviewer.ctx, { name: "first" });
const second = await approvedSkill(owner.ctx, reviewer.ctx, { name: "second" });
const upload = await zipUpload("pack", packFiles({ name: "first", script: "#!/bin/sh\n# newer\ncat\n" }));
const newer = (await importSkills(owner.ctx, { ...upload, owner: "me" })).skills[0]?.pendingVersion?.digest ?? "";
await decideVersion(reviewer.ctx, first.id, newer, { decision: "approve", comment: "" });
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

const versions = await outside(`SELECT "id" FROM "Version"`);
const flip = (column: string, one: string, two: string) =>
  `"${column}" = CASE WHEN "${column}" = ${one} THEN ${two} ELSE ${one} END`;
const ofSkill = (set: string) => `UPDATE "Skill" SET ${set} WHERE "id" = ?`;
const ofVersion = (set: string) => `UPDATE "Version" SET ${set} WHERE "id" = ?`;

/** Changes of what a viewer may see; the first group is of a skill, the second of a version. */
const OF_SKILL: Record<string, string> = {
  enabled: ofSkill(`"enabled" = NOT "enabled"`),
  listed: ofSkill(`"listed" = NOT "listed"`),
  visibility: ofSkill(flip("visibility", "'public'", "'private'")),
  deleted: ofSkill(`"deletedAt" = "createdAt"`),
  class: ofSkill(flip("class", "'safe'", "'mutating'")),
  inactive: ofSkill(`"currentId" = NULL`),
  persona: `UPDATE "Persona" SET "deny" = (SELECT '["' || "name" || '"]' FROM "Skill" WHERE "id" = ?)`,
};
const OF_VERSION: Record<string, string> = {
  state: ofVersion(flip("state", "'approved'", "'revoked'")),
  tampered: ofVersion(`"tampered" = 'was changed'`),
  author: ofVersion(`"createdById" = '${other.id}'`),
  grants: ofVersion(flip("grants", `'{"scripts":true}'`, `'{}'`)),
  statement: `UPDATE "Decision" SET "statement" = 'unreadable' WHERE "versionId" = ?`,
  package: `UPDATE "DoorPackage" SET "form" = 'none' WHERE "versionId" = ?`,
};

const before = {
  skills: await outside(`SELECT "id", "currentId" FROM "Skill"`),
  versions: await outside(`SELECT "id", "createdById", "grants" FROM "Version"`),
  statements: await outside(`SELECT "id", "statement" FROM "Decision"`),
};

async function reset(): Promise<void> {
  await outside(`UPDATE "Skill" SET "enabled" = true, "listed" = true, "deletedAt" = NULL, "visibility" = 'public'`);
  await outside(`UPDATE "Skill" SET "class" = 'safe'`);
  await outside(`UPDATE "Version" SET "state" = 'approved', "tampered" = NULL`);
  await outside(`UPDATE "Persona" SET "deny" = '[]'`);
  await outside(`UPDATE "DoorPackage" SET "form" = 'spec'`);
  for (const { id, currentId } of before.skills)
    await outside(`UPDATE "Skill" SET "currentId" = ? WHERE "id" = ?`, currentId, id);
  for (const { id, createdById, grants } of before.versions)
    await outside(`UPDATE "Version" SET "createdById" = ?, "grants" = ? WHERE "id" = ?`, createdById, grants, id);
  for (const { id, statement } of before.statements)
    await outside(`UPDATE "Decision" SET "statement" = ? WHERE "id" = ?`, statement, id);
}

const none = (error: unknown) => {
  if (error instanceof AppError && (error.code === "gone" || error.code === "not_found")) return [];
  throw error;
};

test("a repository has exactly what the other endpoints offer the same viewer of that skill", async () => {
  const change = fc.oneof(
    fc.record({ name: fc.constantFrom(...Object.keys(OF_SKILL)), id: fc.constantFrom(first.id, second.id) }),
    fc.record({
      name: fc.constantFrom(...Object.keys(OF_VERSION)),
      id: fc.constantFrom(...versions.map(({ id }) => String(id))),
    }),
  );
  const seen = { full: 0, part: 0, empty: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 3 }), async (changes) => {
      await reset();
      for (const { name, id } of changes) await outside(OF_SKILL[name] ?? OF_VERSION[name] ?? "", id);
      for (const [viewer, ctx] of Object.entries(VIEWERS)) {
        const approved = await listApproved(ctx, { kind: "publisher", handle });
        for (const skill of ["first", "second"]) {
          const scope = { kind: "skill", publisher: handle, name: skill, version: null } as const;
          const listed = await listPublished(ctx, scope).catch(none);
          const active = listed.filter(({ version }) => version.tampered === null).map(({ version }) => version.id);
          const entries = await openRepository(ctx, { publisher: handle, skill }).then((found) => found.entries, none);
          const offered = approved.filter((one) => one.skill.slug === skill).map(({ version }) => version.id);
          expect(entries.map(({ published }) => published.version.id).sort(), viewer).toEqual(offered.sort());
          expect(
            entries.filter(isActive).map(({ published }) => published.version.id),
            viewer,
          ).toEqual(active);
          const size = skill === "first" ? 2 : 1;
          seen[entries.length === size ? "full" : entries.length === 0 ? "empty" : "part"] += 1;
        }
      }
    }),
    { numRuns: 40 },
  );
  // Control: the changes hide some versions, and not all.
  expect(Object.values(seen).every((count) => count > 0)).toBe(true);
  expect(await database.reader.version.count()).toBe(3);
});
