import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { Prisma, type Skill } from "@/lib/db/generated/client";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";
import { personaKey } from "@/lib/policy/ownership";
import { requirePerson, seesAll } from "@/lib/policy/require-scope";
import { isVisible, ORG, scopeCaller } from "../skill-access";

export type VisibleSkill = Pick<Skill, "id" | "name" | "label" | "source" | "ownerKey" | "ownerId" | "visibility"> & {
  isAdopted: boolean;
  /** Digest of the active version; null without one. */
  digest: string | null;
};

const ofIds = (dialect: Dialect) =>
  `SELECT s."id", s."name", s."label", s."source", s."ownerKey", s."ownerId", s."visibility", v."digest",
     EXISTS (SELECT 1 FROM "Adoption" a WHERE a."skillId" = s."id" AND a."userId" = ?) AS "isAdopted"
   FROM "Skill" s LEFT JOIN "Version" v ON v."id" = s."currentId"
   WHERE s."id" IN ${jsonList(dialect)} AND s."deletedAt" IS NULL ORDER BY s."id"`;
const OF_IDS = query<VisibleSkill>({ sqlite: ofIds("sqlite"), postgresql: ofIds("postgresql") }, { isAdopted: "flag" });

/** The skills with these ids that the caller sees, by id, by the rule of `visibleTo`. */
export async function readVisibleSkills(ctx: Ctx, ids: readonly (string | null)[]): Promise<Map<string, VisibleSkill>> {
  const actor = requirePerson(ctx.actor);
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const rows = await sqlOf(ctx).all(OF_IDS, actor.userId, JSON.stringify(wanted));
  return new Map(rows.filter((row) => isVisible(actor, row)).map((row) => [row.id, row]));
}

/** The condition of `visibleTo` on the table `"Skill"` with the alias `s`. */
export function visibleSql(actor: PersonActor): Prisma.Sql {
  const exists = Prisma.sql`s."deletedAt" IS NULL`;
  if (seesAll(actor)) return exists;
  const { personaId } = scopeCaller(actor);
  const { userId } = actor;
  const ofPersona = personaId === null ? Prisma.empty : Prisma.sql`OR s."ownerKey" = ${personaKey(personaId)}`;
  const isAdopted =
    personaId === null
      ? Prisma.empty
      : Prisma.sql`AND EXISTS (SELECT 1 FROM "Adoption" a WHERE a."skillId" = s."id" AND a."userId" = ${userId})`;
  return Prisma.sql`${exists} AND (s."ownerKey" = ${userId} OR s."ownerKey" = ${ORG} ${ofPersona}
    OR (s."ownerKey" LIKE 'integration:%' AND (s."ownerKey" LIKE ${`%:${ORG}`} OR s."ownerKey" LIKE ${`%:${userId}`}))
    OR (s."visibility" = 'public' ${isAdopted}))`;
}

/** The condition of `listedTo` on the table `"Skill"` with the alias `s`. */
export function listedSql(actor: PersonActor): Prisma.Sql {
  const seen = visibleSql(actor);
  if (scopeCaller(actor).personaId !== null) return Prisma.sql`${seen} AND s."listed"`;
  return seesAll(actor) ? seen : Prisma.sql`${seen} AND (s."listed" OR s."ownerId" = ${actor.userId})`;
}
