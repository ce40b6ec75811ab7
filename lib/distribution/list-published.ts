import { isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { rankSkills } from "@/lib/policy/ownership";
import { adoptedAmong, scopeCaller } from "@/lib/skills/skill-access";
import { knownTo, offeredTo } from "./offered-skills";
import { presentPublished } from "./present-published";
import { type Published, type PublishedRow, publishedVersion } from "./published";
import { resolveScope } from "./resolve-scope";
import type { DistributionScope } from "./scope";

/**
 * Lists the skills of a scope for the viewer (`ctx` of `identifyViewer`), by name: of each skill its active version, or
 * the pinned one. Names are unique: of several skills with one name the first by `rankSkills` stays; the others are in
 * their publisher's scope. Leaves out what clients cannot install, what was changed in storage and, for agents,
 * versions with a script that no reviewer granted. `name` selects one skill. Not cached. Throws `not_found` for an
 * unknown or hidden scope, `gone` for a withdrawn skill.
 */
export async function listPublished(
  ctx: Ctx,
  scope: DistributionScope,
  { name }: { name?: string } = {},
): Promise<Published[]> {
  const resolved = await resolveScope(ctx, scope);
  if ("only" in resolved) {
    const [published] = await presentPublished(ctx, [resolved.only]);
    if (published === undefined) throw new AppError("not_found", "This skill is not offered to other programs.");
    return name === undefined || name === published.name ? [published] : [];
  }
  const { isOffered } = await offeredTo(ctx);
  const rows = await ctx.db.skill.findMany({
    where: {
      AND: [knownTo(ctx.actor), resolved.where, name === undefined ? {} : { liveSlug: name }],
      ...{ deletedAt: null, listed: true, enabled: true, current: { state: "approved" } },
    },
    include: { current: { select: publishedVersion } },
  });
  const offered = rows.flatMap(({ current, ...skill }): PublishedRow[] =>
    // A tampered skill must not break the index of the others.
    current !== null && current.tampered === null && isOffered(skill, current) ? [{ skill, version: current }] : [],
  );
  const published = await presentPublished(ctx, await sortByRank(ctx, offered));
  const winners = new Map<string, Published>();
  for (const one of published) if (!winners.has(one.name)) winners.set(one.name, one);
  return [...winners.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Lists every approved version of a scope's skills that the viewer is offered, inactive ones and those with a shadowed
 * name included. Same errors as `listPublished`.
 */
export async function listApproved(ctx: Ctx, scope: DistributionScope): Promise<Published[]> {
  const resolved = await resolveScope(ctx, scope);
  if ("only" in resolved) return presentPublished(ctx, [resolved.only]);
  const { isOffered } = await offeredTo(ctx);
  const rows = await ctx.db.skill.findMany({
    where: { AND: [knownTo(ctx.actor), resolved.where], deletedAt: null, listed: true, enabled: true },
    include: {
      versions: {
        where: { state: "approved", tampered: null },
        select: publishedVersion,
        orderBy: { number: "asc" },
      },
    },
    orderBy: { id: "asc" },
  });
  const offered = rows.flatMap(({ versions, ...skill }) =>
    versions.filter((version) => isOffered(skill, version)).map((version) => ({ skill, version })),
  );
  return presentPublished(ctx, offered);
}

/** Sorts candidates so that the preferred skill of each name comes first. */
async function sortByRank(ctx: Ctx, candidates: PublishedRow[]): Promise<PublishedRow[]> {
  const { actor } = ctx;
  const byId = new Map(candidates.map((candidate) => [candidate.skill.id, candidate]));
  const skills = candidates.map(({ skill }) => skill);
  const adopted = isPerson(actor) ? await adoptedAmong(ctx, actor.userId, skills) : new Set<string>();
  const caller = isPerson(actor) ? scopeCaller(actor) : { userId: "", personaId: null };
  const scoped = skills.map(({ id, ownerKey, source }) => ({ id, ownerKey, source, isAdopted: adopted.has(id) }));
  return rankSkills(scoped, caller).flatMap(({ id }) => byId.get(id) ?? []);
}
