import { parseJsonColumn } from "@/lib/core/json";
import type { Tx } from "@/lib/db/context";
import { Grants } from "@/lib/policy/grants/schema";

type SkillRef = { id: string; name: string };

/** Which skills have an approved version whose decision gives them a credential, by the credential's name. */
export async function findCredentialUsers(db: Tx): Promise<Map<string, SkillRef[]>> {
  const versions = await db.version.findMany({
    where: { state: "approved", grants: { contains: '"credential":' } },
    select: { grants: true, skill: { select: { id: true, name: true } } },
    orderBy: [{ skill: { name: "asc" } }, { id: "asc" }],
  });
  const users = new Map<string, SkillRef[]>();
  for (const { grants, skill } of versions) {
    for (const { credential } of parseJsonColumn(Grants, grants ?? "{}").credentials ?? []) {
      const known = users.get(credential) ?? [];
      if (!known.some(({ id }) => id === skill.id)) known.push(skill);
      users.set(credential, known);
    }
  }
  return users;
}
