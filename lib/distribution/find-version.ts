import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { findPublisher, ownedBy } from "@/lib/skills/community/publishers";
import { knownTo, offeredTo } from "./offered-skills";
import { presentOne } from "./present-published";
import { type Published, type PublishedRow, publishedVersion } from "./published";
import { nameVersions } from "./version-names";

type Wanted = { version: Prisma.VersionWhereInput; skills: Prisma.SkillWhereInput };

type WantedVersion = { publisher: string; name: string; version: string | null };

/**
 * Finds a version of a publisher's skill for the viewer: the one named by digest, number or version name, else the
 * active one. Throws `not_found` for a skill that was never published or is hidden from the viewer, `gone` for one that
 * was withdrawn.
 */
export async function findVersion(ctx: Ctx, wanted: WantedVersion): Promise<PublishedRow> {
  const publisher = await findPublisher(ctx, wanted.publisher);
  if (publisher === null) throw never();
  const skills = await ctx.db.skill.findMany({
    where: { AND: [knownTo(ctx.actor), ownedBy(publisher), { slug: wanted.name }] },
    include: { current: { select: publishedVersion } },
    // Existing skills come before deleted ones.
    orderBy: [{ liveSlug: { sort: "desc", nulls: "last" } }, { id: "desc" }],
  });
  if (wanted.version === null) {
    const { isHidden } = await offeredTo(ctx);
    const served = skills.flatMap(({ current, ...skill }) => (current === null ? [] : [{ skill, version: current }]));
    if (served.length > 0) return pickOffered(ctx, served);
    const ids = skills.filter((skill) => !isHidden(skill)).map(({ id }) => id);
    const former = await ctx.db.version.count({ where: { skillId: { in: ids }, state: { in: EVER_APPROVED } } });
    throw former > 0 ? gone() : never();
  }
  const rows = await ctx.db.version.findMany({
    where: { skillId: { in: skills.map(({ id }) => id) }, ...versionIs(wanted.version) },
    select: { ...publishedVersion, skill: true },
    orderBy: { number: "desc" },
  });
  const named = await onlyNamed(ctx, rows, wanted.version);
  const candidates = named.map(({ skill, ...version }) => ({ skill, version }));
  return pickOffered(ctx, candidates);
}

/** `rule` of the error `gone` for what a reviewer revoked. */
export const REVOKED = "revoked";

export const EVER_APPROVED = ["approved", "revoked"];
const DIGEST = /^(?:sha256:)?([0-9a-f]{64})$/i;
const NUMBER = /^[1-9]\d{0,8}$/;

function versionIs(text: string): Prisma.VersionWhereInput {
  const digest = DIGEST.exec(text)?.[1];
  if (digest !== undefined) return { digest: digest.toLowerCase() };
  return NUMBER.test(text) ? { number: Number(text) } : { state: { in: EVER_APPROVED } };
}

async function onlyNamed<R extends { id: string; skill: { id: string } }>(
  ctx: Ctx,
  rows: R[],
  text: string,
): Promise<R[]> {
  if (DIGEST.test(text) || NUMBER.test(text)) return rows;
  const ids = rows.map(({ skill }) => skill.id);
  const names = await nameVersions(ctx, ids);
  return rows.filter(({ id }) => names.get(id) === text.replace(/^v(?=\d)/, ""));
}

/** Returns the first offered row; throws `gone` if one was offered before, else `not_found`. */
export async function pickOffered(ctx: Ctx, rows: PublishedRow[]): Promise<PublishedRow> {
  const { isOffered, isHidden } = await offeredTo(ctx);
  const offered = rows.find(({ skill, version }) => isOffered(skill, version));
  if (offered !== undefined) return offered;
  const former = rows.filter(
    ({ skill, version }) => EVER_APPROVED.includes(version.state) && !isHidden(skill, version),
  );
  throw former.length > 0 ? gone(former.every(({ version }) => version.state === "revoked")) : never();
}

function never(): AppError {
  return new AppError("not_found", "There is no such skill that you can see.");
}

function gone(isRevoked = false): AppError {
  const message = "This version was revoked, or its skill was switched off or deleted.";
  return new AppError("gone", message, isRevoked ? { rule: REVOKED } : {});
}

/**
 * Finds one version, active or not, among these skills. Throws `not_found` for what was never published or is hidden from
 * the viewer, `gone` for what was withdrawn, `version_tampered` when its stored bytes were changed.
 */
export async function findOffered(ctx: Ctx, { version, skills }: Wanted): Promise<Published> {
  const rows = await ctx.db.version.findMany({
    where: { AND: [version, { skill: { AND: [knownTo(ctx.actor), skills] } }] },
    select: { ...publishedVersion, skill: true },
    orderBy: { id: "asc" },
  });
  const candidates = rows.map(({ skill, ...found }) => ({ skill, version: found }));
  const published = await presentOne(ctx, await pickOffered(ctx, candidates));
  if (published === undefined) throw new AppError("not_found", "This skill is not offered to other programs.");
  return published;
}
