import type { Ctx } from "@/lib/db/context";
import { ownerIdOf, parseOwnerKey } from "@/lib/policy/owner-key";
import type { SkillOwner } from "@/lib/skills/schema";

/** Whose skills are, with names, by owner key. A person or persona that is gone has an empty name. */
export async function presentOwners(ctx: Ctx, skills: { ownerKey: string }[]): Promise<Map<string, SkillOwner>> {
  const keys = [...new Set(skills.map(({ ownerKey }) => ownerKey))];
  const personaIds = keys.map(parseOwnerKey).flatMap((owner) => (owner.kind === "persona" ? [owner.id] : []));
  const userIds = keys.flatMap((key) => ownerIdOf(key) ?? []);
  const users = await ctx.db.user.findMany({ where: { id: { in: userIds } }, select: { id: true, name: true } });
  const personas =
    personaIds.length === 0
      ? []
      : await ctx.db.persona.findMany({ where: { id: { in: personaIds } }, select: { id: true, name: true } });
  const names = new Map([...users, ...personas].map(({ id, name }) => [id, name]));
  return new Map(keys.map((key) => [key, presentOwner(key, names)]));
}

function presentOwner(key: string, names: Map<string, string>): SkillOwner {
  const owner = parseOwnerKey(key);
  if (owner.kind === "persona") return { kind: "persona", id: owner.id, name: names.get(owner.id) ?? "" };
  const userId = ownerIdOf(key);
  return userId === null
    ? { kind: "org", id: null, name: "Organisation" }
    : { kind: "user", id: userId, name: names.get(userId) ?? "" };
}
