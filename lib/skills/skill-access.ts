import { findPersona } from "@/lib/auth/personas";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { isIdShaped } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import type { Decision, Prisma, Skill, Version, VersionFile } from "@/lib/db/generated/client";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";
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

export const ORG = ORG_KEY;

/**
 * The skills that a person sees: their own, the organisation's and public ones; reviewers and admins see all. An agent
 * sees the skills in its scopes, including those of its persona, and of public ones only those that its person adopted.
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

/** The skills in the actor's scopes by owner; they precede all others in name resolution. */
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
 * The skill with this id, or the one that this name resolves to for the caller (see `rankSkills`). `not_found` also
 * when the caller may not see it; `forbidden` as in `assertNotHidden`.
 */
export async function requireSkill(ctx: Ctx, idOrName: string): Promise<SkillRow> {
  const skill = await findNamedSkill(ctx, idOrName);
  await assertNotHidden(ctx, skill);
  return skill;
}

/**
 * Throws `forbidden` with the rule when the caller's persona excludes the skill, or an admin unlisted it. Unlisted
 * skills stay visible to their owner, reviewers and admins, but to no agent.
 */
export async function assertNotHidden(ctx: Ctx, skill: ShownSkill): Promise<void> {
  const away = await whyHidden(ctx, skill);
  if (away !== null) throw new AppError("forbidden", away.reason, { rule: away.rule });
}

/** Like `requireSkill`, but without the rules of a persona, for callers that apply them later. */
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

/** The cases of `visibleTo` that need no query. */
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

/** Resolves a name. Skills in the caller's scopes come first, so they are read separately and completely. */
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

/** The class of the active version; null without one. */
export function servedClass(skill: ClassedSkill): SkillClass | null {
  return skill.currentId === null ? null : SkillClass.parse(skill.class);
}

/** Why a visible skill is hidden from the caller: the rules of the persona, or an admin unlisted it. */
async function whyHidden(ctx: Ctx, skill: ShownSkill): Promise<{ rule: string; reason: string } | null> {
  const actor = requirePerson(ctx.actor);
  const unlistedFor = { rule: "unlisted", reason: unlistedMessage(skill) };
  const persona = await findPersona(ctx, actor);
  if (persona === null) {
    return skill.listed || skill.ownerId === actor.userId || seesAll(actor) ? null : unlistedFor;
  }
  return whyRefused(persona, { ...skill, class: servedClass(skill) }) ?? (skill.listed ? null : unlistedFor);
}

/** Error message for an unlisted skill. */
export function unlistedMessage(skill: { name: string }): string {
  return `An admin blocked “${skill.name}”, so it cannot be used. Ask an admin to unblock it.`;
}

/** Whether the actor may change a skill: its owner and admins, and reviewers for the organisation's skills. */
export function canManage(actor: PersonActor, skill: { ownerKey: string }): boolean {
  if (ownerIdOf(skill.ownerKey) === actor.userId) return true;
  if (hasScope(actor, "admin")) return true;
  return isShared(skill.ownerKey) && hasScope(actor, "review");
}

/** Returns a skill that the caller may change; otherwise `forbidden` names its owner. */
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
  return parseOwnerKey(ownerKey).kind === "persona" ? "a persona" : "another person";
}

/** The owner key of a new skill. Only reviewers and admins add skills for the organisation. */
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

const adoptedOf = (dialect: Dialect) =>
  `SELECT "skillId" FROM "Adoption" WHERE "userId" = ? AND "skillId" IN ${jsonList(dialect)}`;
const ADOPTED = query<{ skillId: string }>({ sqlite: adoptedOf("sqlite"), postgresql: adoptedOf("postgresql") });

/** Ids of the given skills that a person adopted. */
export async function adoptedAmong(ctx: Ctx, userId: string, skills: { id: string }[]): Promise<Set<string>> {
  if (skills.length === 0) return new Set();
  const rows = await sqlOf(ctx).all(ADOPTED, userId, JSON.stringify(skills.map(({ id }) => id)));
  return new Set(rows.map(({ skillId }) => skillId));
}

/** The caller's identity for name resolution. */
export function scopeCaller(actor: PersonActor): ScopeCaller {
  return { userId: actor.userId, personaId: actor.kind === "token" ? actor.personaId : null };
}

/** The rule of `visibleTo` for rows in memory. */
export function isVisible(actor: PersonActor, skill: ScopedSkill & { visibility: string }): boolean {
  if (seesAll(actor)) return true;
  const caller = scopeCaller(actor);
  if (scopeFor({ ...skill, isAdopted: false }, caller) !== null) return true;
  return skill.visibility === "public" && (caller.personaId === null || skill.isAdopted);
}

const SKILL_KINDS = {
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
} as const;
/** Kinds of the date columns of `SELECT * FROM "Version"`. */
export const VERSION_KINDS = { createdAt: "date", submittedAt: "date", decidedAt: "date" } as const;
const SKILL = query<Skill>(`SELECT * FROM "Skill" WHERE "id" = ?`, SKILL_KINDS);
const VERSION = query<Version>(`SELECT * FROM "Version" WHERE "id" = ?`, VERSION_KINDS);
const amongIds = (table: string) => ({
  sqlite: `SELECT * FROM "${table}" WHERE "id" IN ${jsonList("sqlite")}`,
  postgresql: `SELECT * FROM "${table}" WHERE "id" IN ${jsonList("postgresql")}`,
});
const SKILLS = query<Skill>(amongIds("Skill"), SKILL_KINDS);
const VERSIONS = query<Version>(amongIds("Version"), VERSION_KINDS);
const FILES = query<VersionFile>(`SELECT * FROM "VersionFile" WHERE "versionId" = ? ORDER BY "path"`, {
  isText: "flag",
});
const DECISIONS = query<Decision>(`SELECT * FROM "Decision" WHERE "versionId" = ? ORDER BY "id"`, {
  soloMode: "flag",
  createdAt: "date",
});

type Reading = Pick<Ctx, "database" | "tx">;

/** A skill by id, without an access check. */
export function loadSkill(ctx: Reading, id: string): Promise<Skill | undefined> {
  return sqlOf(ctx).get(SKILL, id);
}

/** Skills by id with their versions, in this order, without an access check. Unknown ids are omitted. */
export async function loadSkillRows(ctx: Reading, ids: readonly string[]): Promise<SkillRow[]> {
  const sql = sqlOf(ctx);
  const skills = new Map((await sql.all(SKILLS, JSON.stringify(ids))).map((row) => [row.id, row]));
  const versionIds = [...skills.values()].flatMap(({ currentId, pendingId }) => [currentId, pendingId]);
  const versions = await sql.all(VERSIONS, JSON.stringify(versionIds.filter((id) => id !== null)));
  const byId = new Map(versions.map((row) => [row.id, row]));
  const versionOf = (id: string | null) => byId.get(id ?? "") ?? null;
  return ids.flatMap((id) => {
    const row = skills.get(id);
    return row === undefined ? [] : [{ ...row, current: versionOf(row.currentId), pending: versionOf(row.pendingId) }];
  });
}

/** A version by id, without files and decisions; null without an id. */
export async function loadVersion(ctx: Reading, id: string | null): Promise<Version | null> {
  return id === null ? null : ((await sqlOf(ctx).get(VERSION, id)) ?? null);
}

/** Files and decisions of a version. */
export async function loadFilesAndDecisions(
  ctx: Reading,
  versionId: string,
): Promise<{ files: VersionFile[]; decisions: Decision[] }> {
  const sql = sqlOf(ctx);
  return { files: await sql.all(FILES, versionId), decisions: await sql.all(DECISIONS, versionId) };
}
