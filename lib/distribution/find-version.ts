import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { findPublisher, ownedBy } from "@/lib/skills/community/publishers";
import { knownTo, offeredTo } from "./offered-skills";
import { type PublishedRow, publishedVersion } from "./published";
import { nameVersions } from "./version-names";

type WantedVersion = { publisher: string; name: string; version: string | null };

/**
 * A version of a skill by its publisher, for the viewer of `ctx`: the named one (by digest, number or version name), else the
 * one that serves. `not_found` for what
 * was never published or is not the viewer’s to see, `gone` for what was and is no more.
 */
export async function findVersion(ctx: Ctx, wanted: WantedVersion): Promise<PublishedRow> {
  const publisher = await findPublisher(ctx, wanted.publisher);
  if (publisher === null) throw never();
  const skills = await ctx.db.skill.findMany({
    where: { AND: [knownTo(ctx.actor), ownedBy(publisher), { slug: wanted.name }] },
    include: { current: { select: publishedVersion } },
    // The one that is there before those that were.
    orderBy: [{ liveSlug: { sort: "desc", nulls: "last" } }, { id: "desc" }],
  });
  if (wanted.version === null) {
    const { isKeptAway } = await offeredTo(ctx);
    const served = skills.flatMap(({ current, ...skill }) => (current === null ? [] : [{ skill, version: current }]));
    if (served.length > 0) return pickOffered(ctx, served);
    const ids = skills.filter((skill) => !isKeptAway(skill)).map(({ id }) => id);
    const former = await ctx.db.version.count({ where: { skillId: { in: ids }, state: { in: ONCE_OUT } } });
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

const ONCE_OUT = ["approved", "revoked"];
const DIGEST = /^(?:sha256:)?([0-9a-f]{64})$/i;
const NUMBER = /^[1-9]\d{0,8}$/;

function versionIs(text: string): Prisma.VersionWhereInput {
  const digest = DIGEST.exec(text)?.[1];
  if (digest !== undefined) return { digest: digest.toLowerCase() };
  return NUMBER.test(text) ? { number: Number(text) } : { state: { in: ONCE_OUT } };
}

/** By the names that every endpoint shows: no two versions of a skill share one. */
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

/** The first that is offered; else whether one of them ever was. */
export async function pickOffered(ctx: Ctx, rows: PublishedRow[]): Promise<PublishedRow> {
  const { isOffered, isKeptAway } = await offeredTo(ctx);
  const offered = rows.find(({ skill, version }) => isOffered(skill, version));
  if (offered !== undefined) return offered;
  const former = rows.filter(({ skill, version }) => ONCE_OUT.includes(version.state) && !isKeptAway(skill, version));
  throw former.length > 0 ? gone(former.every(({ version }) => version.state === "revoked")) : never();
}

function never(): AppError {
  return new AppError("not_found", "There is no such skill that you can see.");
}

function gone(isRevoked = false): AppError {
  const message = "This version was revoked, or its skill was switched off or deleted.";
  return new AppError("gone", message, isRevoked ? { rule: REVOKED } : {});
}
