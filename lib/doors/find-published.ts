import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { findVersion, pickOffered } from "./find-version";
import { knownTo } from "./offered-skills";
import { presentOne } from "./present-published";
import { type Published, type PublishedRow, publishedVersion } from "./published";
import { resolveScope } from "./resolve-scope";
import type { DoorScope } from "./scope";

/** A version by its digest, within a scope when one is given; of several skills with the same bytes `name` says which. */
type ByDigest = { digest: string; name?: string; scope?: DoorScope };
/** A skill by its publisher; `version` is a digest, a number or what its manifest calls it, else the one that serves. */
type ByName = { publisher: string; name: string; version?: string | null };

/**
 * One version for the viewer of `ctx`, with availability looked up at this moment. `not_found` for what was never published
 * or is not the viewer’s to see; `gone` for what was and is revoked, switched off or deleted; `version_tampered` when its
 * stored bytes were changed.
 */
export async function findPublished(ctx: Ctx, wanted: ByDigest | ByName): Promise<Published> {
  const row =
    "digest" in wanted
      ? await findByDigest(ctx, wanted)
      : await findVersion(ctx, { ...wanted, version: wanted.version ?? null });
  const published = await presentOne(ctx, row);
  if (published === undefined) throw new AppError("not_found", "This skill is not offered to other programs.");
  return published;
}

async function findByDigest(ctx: Ctx, { digest, name, scope }: ByDigest): Promise<PublishedRow> {
  const resolved = scope === undefined ? { where: {} } : await resolveScope(ctx, scope);
  const within = "only" in resolved ? { id: resolved.only.skill.id } : resolved.where;
  const rows = await ctx.db.version.findMany({
    where: {
      digest: digest.toLowerCase(),
      skill: { AND: [knownTo(ctx.actor), within, name === undefined ? {} : { slug: name }] },
    },
    select: { ...publishedVersion, skill: true },
    orderBy: { id: "asc" },
  });
  return pickOffered(
    ctx,
    rows.map(({ skill, ...version }) => ({ skill, version })),
  );
}
