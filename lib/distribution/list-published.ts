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
 * What a scope holds for the viewer (`ctx` of `viewerOf`), by name: of each skill the approved version that serves now, or of
 * a pinned skill that version. Names are portable and unique: of several skills of a name the first by `rankSkills` stays,
 * the others are found in their publisher’s scope. What clients could not install is left out, what was found changed in storage too, and for agents also what has
 * a script that no reviewer granted. `name` asks for one. Reads the database anew each time. `not_found` for a scope that is
 * not there or not visible, `gone` for one skill that was there and is no more.
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
    // One skill whose stored files were changed must not cost the others their index.
    current !== null && current.tampered === null && isOffered(skill, current) ? [{ skill, version: current }] : [],
  );
  const published = await presentPublished(ctx, await inOrder(ctx, offered));
  const winners = new Map<string, Published>();
  for (const one of published) if (!winners.has(one.name)) winners.set(one.name, one);
  return [...winners.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Every approved version of the skills of a scope that the viewer is offered: also those that do not serve, and those of skills
 * whose name another skill has in the index. Same errors.
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

/** The same candidates, the first of a name first. */
async function inOrder(ctx: Ctx, candidates: PublishedRow[]): Promise<PublishedRow[]> {
  const { actor } = ctx;
  const byId = new Map(candidates.map((candidate) => [candidate.skill.id, candidate]));
  const skills = candidates.map(({ skill }) => skill);
  const adopted = isPerson(actor) ? await adoptedAmong(ctx, actor.userId, skills) : new Set<string>();
  const caller = isPerson(actor) ? scopeCaller(actor) : { userId: "", personaId: null };
  const scoped = skills.map(({ id, ownerKey, source }) => ({ id, ownerKey, source, isAdopted: adopted.has(id) }));
  return rankSkills(scoped, caller).flatMap(({ id }) => byId.get(id) ?? []);
}
