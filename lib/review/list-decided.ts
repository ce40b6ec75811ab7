import { z } from "zod";
import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { query, sqlOf } from "@/lib/db/sql";
import { requireScope, seesAll } from "@/lib/policy/require-scope";
import { DecidedPage, type ListDecidedQuery } from "./schema";

type Row = {
  id: string;
  decision: string;
  comment: string;
  class: string | null;
  actorId: string;
  actorName: string;
  soloMode: boolean;
  at: Date;
  digest: string;
  number: number;
  state: string;
  skillId: string;
  name: string;
  label: string | null;
};

const FROM = `FROM "Decision" d JOIN "Version" v ON v."id" = d."versionId" JOIN "Skill" s ON s."id" = v."skillId"
  WHERE s."deletedAt" IS NULL AND (? = '' OR s."ownerId" = ?)`;

const DECIDED = query<Row>(
  `SELECT d."id", d."decision", d."comment", d."class", d."actorId", d."actorName", d."soloMode", d."createdAt" AS "at",
     v."digest", v."number", v."state", s."id" AS "skillId", s."name", s."label" ${FROM}
     AND d."actorId" <> 'release' AND d."id" < ? AND (? = '' OR d."decision" = ?) AND (? = '' OR d."actorId" = ?)
   ORDER BY d."id" DESC LIMIT ?`,
  { soloMode: "flag", at: "date" },
);

/** One row of the index for each person, and not all decisions. */
const PEOPLE = query<{ id: string; name: string }>(
  `SELECT u."id", u."name" FROM "User" u WHERE EXISTS (SELECT 1 ${FROM} AND d."actorId" = u."id") ORDER BY 2`,
);

/** Follows every id, which are of hex digits, in the collations of both databases. */
const AFTER_ALL = "z";

/**
 * The decisions of people on versions, newest first, and who made them: on all skills for reviewers and admins, else on the
 * caller's own. Approvals that a release signs are left out.
 */
export async function listDecided(ctx: Ctx, filter: ListDecidedQuery): Promise<DecidedPage> {
  const actor = requireScope(ctx.actor, "read");
  const before = filter.cursor === undefined ? AFTER_ALL : decodeCursor(z.string(), filter.cursor);
  const own = ownerFilter(actor);
  const [decision, by] = [filter.decision ?? "", filter.by ?? ""];
  const values = [own, own, before, decision, decision, by, by, filter.limit + 1] as const;
  const page = toPage(await sqlOf(ctx).all(DECIDED, ...values), filter.limit, ({ id }) => id, present);
  return DecidedPage.parse({ ...page, people: await sqlOf(ctx).all(PEOPLE, own, own) });
}

/** The owner whose skills are listed; empty for all. */
function ownerFilter(actor: PersonActor): string {
  return seesAll(actor) ? "" : actor.userId;
}

function present({ skillId, name, label, actorId, actorName, at, ...decided }: Row) {
  return {
    ...decided,
    skill: { id: skillId, name, label },
    by: { id: actorId, name: actorName },
    at: at.toISOString(),
  };
}
