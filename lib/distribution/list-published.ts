import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { knownTo, offeredTo } from "./offered-skills";
import { presentPublished } from "./present-published";
import { type Published, publishedVersion } from "./published";
import { resolveScope } from "./resolve-scope";
import type { DistributionScope } from "./scope";
import { listScope, viewerList } from "./viewer-list";

/**
 * Lists the skills of a scope for the viewer (`ctx` of `identifyViewer`), by name: of each skill its active version, or
 * the pinned one. Names are unique: of several skills with one name the first by `rankSkills` stays; the others are in
 * their publisher's scope. Leaves out what clients cannot install, what was changed in storage and, for agents,
 * versions with a script that no reviewer granted. `name` selects one skill. Throws `not_found` for an unknown or hidden
 * scope, `gone` for a withdrawn skill.
 */
export async function listPublished(
  ctx: Ctx,
  scope: DistributionScope,
  { name }: { name?: string } = {},
): Promise<readonly Published[]> {
  const resolved = await resolveScope(ctx, scope);
  if ("only" in resolved) {
    const [published] = await presentPublished(ctx, [resolved.only]);
    if (published === undefined) throw new AppError("not_found", "This skill is not offered to other programs.");
    return name === undefined || name === published.name ? [published] : [];
  }
  return listScope(await viewerList(ctx), resolved, name);
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
