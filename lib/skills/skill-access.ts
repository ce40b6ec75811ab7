import { findPersona } from "@/lib/auth/personas";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { isIdShaped } from "@/lib/core/id-shape";
import type { Ctx } from "@/lib/db/context";
import type { Decision, Prisma, Skill, Version, VersionFile } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { whyRefused } from "@/lib/policy/gate-run";
import {
  isShared,
  ORG as ORG_KEY,
  ownerIdOf,
  parseOwnerKey,
  personaKey,
  rankSkills,
  type ScopeCaller,
  type ScopedSkill,
  scopeFor,
} from "@/lib/policy/ownership";
import { hasScope, requirePerson, requireScope, seesAll } from "@/lib/policy/require-scope";
import { SkillClass } from "@/lib/skill-format/schema";

/** Owner key of skills that belong to the organisation. */
export const ORG = ORG_KEY;

/**
 * Which skills a person sees: their own, the organisation’s and public ones; those who review or administer see all. An
 * agent sees what lies in its scopes: the persona’s own too, and of public ones those that its person has adopted.
 */
export function visibleTo(actor: PersonActor): Prisma.SkillWhereInput {
  if (seesAll(actor)) return { deletedAt: null };
  const { personaId } = scopeCaller(actor);
  const isAdopted = { adoptions: { some: { userId: actor.userId } } };
  return {
    deletedAt: null,
    OR: [...inScopesOf(actor), { visibility: "public", ...(personaId === null ? {} : isAdopted) }],
  };
}

/** The skills that lie in somebody’s scopes by whose they are: nobody else’s take a name from them. */
function inScopesOf(actor: PersonActor): Prisma.SkillWhereInput[] {
  const { personaId } = scopeCaller(actor);
  const keys = [actor.userId, ORG, ...(personaId === null ? [] : [personaKey(personaId)])];
  return [
    { ownerKey: { in: keys } },
    { ownerKey: { startsWith: "integration:", endsWith: `:${ORG}` } },
    { ownerKey: { startsWith: "integration:", endsWith: `:${actor.userId}` } },
  ];
}

const withVersions = { current: true, pending: true } satisfies Prisma.SkillInclude;
export type SkillRow = Prisma.SkillGetPayload<{ include: typeof withVersions }>;

/**
 * The skill with this id, or the one that this name means to the caller: see `rankSkills`. `not_found` also when it exists
 * but the caller may not see it; `forbidden`, naming the rule, when it is kept away from who asks: see `assertShown`.
 */
export async function requireSkill(ctx: Ctx, idOrName: string): Promise<SkillRow> {
  const skill = await findNamedSkill(ctx, idOrName);
  await assertNotHidden(ctx, skill);
  return skill;
}

/**
 * `forbidden`, naming the rule, when the persona of the agent that asks may not use the skill, or an admin took it off
 * the list: then it is shown to its owner and to those who can put it right, and to no agent.
 */
export async function assertNotHidden(ctx: Ctx, skill: ShownSkill): Promise<void> {
  const away = await whyHidden(ctx, skill);
  if (away !== null) throw new AppError("forbidden", away.reason, { rule: away.rule });
}

/** The same before the lists of a persona are asked; for a verb that applies them itself. */
export async function findNamedSkill(ctx: Ctx, idOrName: string): Promise<SkillRow> {
  const actor = requirePerson(ctx.actor);
  const known = isIdShaped(idOrName) ? await loadSkill(ctx, idOrName.toLowerCase()) : undefined;
  if (known !== undefined && isVisibleWithoutQuery(actor, known)) {
    const [current, pending] = [await loadVersion(ctx, known.currentId), await loadVersion(ctx, known.pendingId)];
    return { ...known, current, pending };
  }
  const skill = await (isIdShaped(idOrName)
    ? findVisible(ctx, { id: idOrName.toLowerCase() })
    : findByName(ctx, idOrName));
  if (!skill) throw new AppError("not_found", `There is no skill “${idOrName}” that you can see.`);
  return skill;
}

/** Those of `visibleTo` that can be told without another look into the database. */
function isVisibleWithoutQuery(actor: PersonActor, skill: { deletedAt: Date | null; ownerKey: string }): boolean {
  if (skill.deletedAt !== null) return false;
  if (seesAll(actor)) return true;
  return skill.ownerKey === actor.userId || skill.ownerKey === ORG;
}

function findVisible(ctx: Ctx, where: Prisma.SkillWhereInput): Promise<SkillRow | null> {
  return ctx.db.skill.findFirst({
    where: { AND: [visibleTo(requirePerson(ctx.actor)), where] },
    include: withVersions,
    orderBy: { id: "asc" },
  });
}

/**
 * The skill that a name means. Those in the caller’s scopes are asked for by themselves, and all of them, since they come
 * before any number of other people’s that a reviewer sees too.
 */
async function findByName(ctx: Ctx, name: string): Promise<SkillRow | null | undefined> {
  const actor = requirePerson(ctx.actor);
  const scoped = { OR: [...inScopesOf(actor), { adoptions: { some: { userId: actor.userId } } }] };
  const rows = await ctx.db.skill.findMany({
    where: { AND: [visibleTo(actor), scoped, nameIs(name)] },
    include: withVersions,
  });
  if (rows.length === 0) return findVisible(ctx, nameIs(name));
  return rows.length > 1 ? highestRanked(ctx, actor, rows) : rows[0];
}

async function highestRanked(ctx: Ctx, actor: PersonActor, rows: SkillRow[]): Promise<SkillRow | undefined> {
  const adopted = await adoptedAmong(ctx, actor.userId, rows);
  const scoped = rows.map((row) => ({ ...row, isAdopted: adopted.has(row.id) }));
  const first = rankSkills(scoped, scopeCaller(actor))[0];
  return rows.find(({ id }) => id === first?.id);
}

function nameIs(name: string): Prisma.SkillWhereInput {
  return { OR: [{ liveSlug: name.toLowerCase() }, { name }, { toolName: name }] };
}

type ShownSkill = Pick<SkillRow, "name" | "slug" | "toolName" | "listed" | "ownerId"> & ClassedSkill;
type ClassedSkill = { class: string; currentId: string | null };

/** The class that the skill is used as; null while nothing of it serves. */
export function servedClass(skill: ClassedSkill): SkillClass | null {
  return skill.currentId === null ? null : SkillClass.parse(skill.class);
}

/** Why the caller is not shown a skill that they would see: the persona may not use it, or an admin unlisted it. */
async function whyHidden(ctx: Ctx, skill: ShownSkill): Promise<{ rule: string; reason: string } | null> {
  const actor = requirePerson(ctx.actor);
  const unlistedFor = { rule: "unlisted", reason: unlistedMessage(skill) };
  const persona = await findPersona(ctx, actor);
  if (persona === null) {
    return skill.listed || skill.ownerId === actor.userId || seesAll(actor) ? null : unlistedFor;
  }
  return whyRefused(persona, { ...skill, class: servedClass(skill) }) ?? (skill.listed ? null : unlistedFor);
}

/** What is said of a skill that an admin took off the list. */
export function unlistedMessage(skill: { name: string }): string {
  return `“${skill.name}” was taken off the list by an admin; nobody can use it.`;
}

/** Whether the actor may change a skill: its owner and who administers; the organisation's also who reviews. */
export function canManage(actor: PersonActor, skill: { ownerKey: string }): boolean {
  if (ownerIdOf(skill.ownerKey) === actor.userId) return true;
  if (hasScope(actor, "admin")) return true;
  return isShared(skill.ownerKey) && hasScope(actor, "review");
}

/** The skill, when the caller may change it; `forbidden` names whose it is otherwise. */
export async function requireManagedSkill(ctx: Ctx, idOrName: string): Promise<SkillRow> {
  const actor = requireScope(ctx.actor, "write");
  const skill = await requireSkill(ctx, idOrName);
  if (canManage(actor, skill)) return skill;
  throw new AppError(
    "forbidden",
    `The skill “${skill.name}” belongs to ${ownerLabel(skill)}; you can see it but not change it.`,
  );
}

function ownerLabel({ ownerKey }: { ownerKey: string }): string {
  if (isShared(ownerKey)) return "the organisation";
  return parseOwnerKey(ownerKey).kind === "persona" ? "a persona" : "somebody else";
}

/** Under whom a new skill is kept. Only who reviews or administers brings in skills for the whole organisation. */
export function requireOwnerKey(actor: PersonActor, owner: "me" | "org"): string {
  if (owner === "me") return actor.userId;
  if (!seesAll(actor))
    throw new AppError(
      "forbidden",
      actor.role === "user"
        ? "Only reviewers and admins add skills for the organisation; import it for yourself."
        : "Adding skills for the organisation needs the scope “review” or “admin”, which agents never have; import it for yourself.",
      { rule: "scope-review" },
    );
  return ORG;
}

/** Ids of those of some skills that a person has adopted. */
export async function adoptedAmong(ctx: Ctx, userId: string, skills: { id: string }[]): Promise<Set<string>> {
  if (skills.length === 0) return new Set();
  const rows = await ctx.db.adoption.findMany({
    where: { userId, skillId: { in: skills.map(({ id }) => id) } },
    select: { skillId: true },
  });
  return new Set(rows.map(({ skillId }) => skillId));
}

/** Somebody as far as it matters to what a name means. */
export function scopeCaller(actor: PersonActor): ScopeCaller {
  return { userId: actor.userId, personaId: actor.kind === "token" ? actor.personaId : null };
}

/** Whether somebody sees a skill that exists; the same rule as `visibleTo`, for rows that are in memory. */
export function isVisible(actor: PersonActor, skill: ScopedSkill & { visibility: string }): boolean {
  if (seesAll(actor)) return true;
  const caller = scopeCaller(actor);
  if (scopeFor({ ...skill, isAdopted: false }, caller) !== null) return true;
  return skill.visibility === "public" && (caller.personaId === null || skill.isAdopted);
}

const SKILL = query<Skill>(`SELECT * FROM "Skill" WHERE "id" = ?`, {
  always: "flag",
  userInvocable: "flag",
  contextFork: "flag",
  runnable: "flag",
  enabled: "flag",
  pinned: "flag",
  listed: "flag",
  revivedAt: "date",
  createdAt: "date",
  updatedAt: "date",
  lastUsedAt: "date",
  deletedAt: "date",
  deprecatedAt: "date",
});
const VERSION = query<Version>(`SELECT * FROM "Version" WHERE "id" = ?`, {
  createdAt: "date",
  submittedAt: "date",
  decidedAt: "date",
});
const FILES = query<VersionFile>(`SELECT * FROM "VersionFile" WHERE "versionId" = ? ORDER BY "path"`, {
  isText: "flag",
});
const DECISIONS = query<Decision>(`SELECT * FROM "Decision" WHERE "versionId" = ? ORDER BY "id"`, {
  soloMode: "flag",
  createdAt: "date",
});

type Reading = Pick<Ctx, "database" | "tx">;

/** A skill by its id, whoever may see it. */
export function loadSkill(ctx: Reading, id: string): Promise<Skill | undefined> {
  return sqlOf(ctx).get(SKILL, id);
}

/** A version by its id, without files and decisions; null for no id. */
export async function loadVersion(ctx: Reading, id: string | null): Promise<Version | null> {
  return id === null ? null : ((await sqlOf(ctx).get(VERSION, id)) ?? null);
}

/** What a version consists of and what was decided on it. */
export async function loadFilesAndDecisions(
  ctx: Reading,
  versionId: string,
): Promise<{ files: VersionFile[]; decisions: Decision[] }> {
  const sql = sqlOf(ctx);
  return { files: await sql.all(FILES, versionId), decisions: await sql.all(DECISIONS, versionId) };
}
