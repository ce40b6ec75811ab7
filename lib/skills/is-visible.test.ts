import { expect, test } from "vitest";
import { requirePerson } from "@/lib/policy/require-scope";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { isVisible, visibleTo } from "./skill-access";

const { person, database } = await testDatabase();
const [admin, reviewer] = [await person("admin"), await person("reviewer")];

test("the rule in memory and the database filter agree for all callers", async () => {
  const [user, other] = [await person(), await person()];
  const agent = await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  const stranger = await agentOf(admin.ctx, other, { permissionMode: "read-only" });
  const owners = [
    ...[user.id, other.id, "org", `persona:${agent.persona.id}`],
    ...["integration:mail:org", `integration:mail:${user.id}`, `integration:mail:${other.id}`],
  ];
  for (const [index, ownerKey] of owners.entries()) {
    for (const visibility of ["private", "public"]) {
      const { id } = await approvedSkill(admin.ctx, reviewer.ctx, { name: `seen_${index}_${visibility}` });
      await database.writer.skill.update({ where: { id }, data: { ownerKey, visibility } });
      if (index % 2 === 1) {
        await database.writer.adoption.create({ data: { userId: user.id, skillId: id, createdAt: new Date() } });
      }
    }
  }
  const rows = await database.reader.skill.findMany({ include: { adoptions: true } });
  const seen = new Map<string, number>();
  for (const [who, ctx] of Object.entries({
    user: user.ctx,
    admin: admin.ctx,
    agent: agent.ctx,
    stranger: stranger.ctx,
  })) {
    const actor = requirePerson(ctx.actor);
    const inDatabase = await database.reader.skill.findMany({ where: visibleTo(actor), select: { id: true } });
    const inMemory = rows.filter(({ adoptions, ...row }) => {
      const isAdopted = adoptions.some(({ userId }) => userId === actor.userId);
      return isVisible(actor, { ...row, isAdopted });
    });
    expect(inMemory.map(({ id }) => id).sort(), who).toEqual(inDatabase.map(({ id }) => id).sort());
    seen.set(who, inMemory.length);
  }
  expect(seen.get("admin")).toBe(rows.length);
  expect(new Set(seen.values()).size).toBeGreaterThan(2);
});
