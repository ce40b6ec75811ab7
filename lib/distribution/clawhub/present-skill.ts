import { z } from "zod";
import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { countRecentInstalls, countStars } from "@/lib/skills/community/popularity";
import type { StarState } from "@/lib/skills/community/schema";
import { describePublished, displayNameOf, type Published } from "../published";

const Tags = z.array(z.string());
const Requires = z.object({ env: z.array(z.string()).catch([]), os: z.array(z.string()).catch([]) });

/** Parts of ClawHub's answers, as its CLI (0.23.3) validates them. Times are in milliseconds. */
export function presentSkill(published: Published, use: Use, name: string) {
  const { skill, version, description } = published;
  return {
    slug: skill.slug,
    displayName: displayNameOf(skill),
    summary: describePublished(published),
    description,
    topics: keepParsed(Tags, skill.tags),
    tags: { latest: name },
    stats: {
      downloads: use.installs,
      installs: use.installs,
      installsCurrent: use.recentInstalls,
      stars: use.stars,
      versions: version.number,
    },
    createdAt: skill.createdAt.getTime(),
    updatedAt: updatedAt({ version }),
  };
}

/** The CLI accepts only MIT-0 as `license`. */
export function presentVersion({ skill, version }: Published, name: string) {
  return {
    version: name,
    createdAt: updatedAt({ version }),
    changelog: version.changelog ?? "",
    license: skill.license?.trim() === "MIT-0" ? ("MIT-0" as const) : null,
  };
}

/** Requirements; the CLI needs `setup` even when it is empty. */
export function presentMetadata({ skill }: Published) {
  const { env, os } = keepParsed(Requires, skill.requires);
  return { setup: env.map((key) => ({ key, required: true })), ...(os.length > 0 ? { os: [...os] } : {}) };
}

export function presentOwner({ publisher }: Published) {
  return {
    handle: publisher.handle,
    displayName: publisher.displayName,
    image: null,
    kind: publisher.userId === null ? ("org" as const) : ("user" as const),
    official: publisher.verifiedAt !== null,
  };
}

export function updatedAt({ version }: Pick<Published, "version">): number {
  return (version.decidedAt ?? version.createdAt).getTime();
}

const RECENT_MS = 60 * 24 * 60 * 60_000;

export type Use = { installs: number; recentInstalls: number; stars: number };
export const UNUSED: Use = { installs: 0, recentInstalls: 0, stars: 0 };

/** Installs in total and in the last 60 days, and stars, by skill id; unused skills are omitted. */
export async function countUse(
  ctx: Ctx,
  published: readonly Published[],
  { withStars = true } = {},
): Promise<Map<string, Use>> {
  const since = new Date(ctx.now().getTime() - RECENT_MS).toISOString().slice(0, 10);
  const skillIds = published.map(({ skill }) => skill.id);
  const counted = await countRecentInstalls(ctx, skillIds, since);
  const stars = withStars ? await countStars(ctx, skillIds) : new Map<string, StarState>();
  return new Map(
    skillIds.flatMap((id): [string, Use][] => {
      const [of, starred] = [counted.get(id), stars.get(id)];
      if (of === undefined && starred === undefined) return [];
      return [[id, { installs: of?.installs ?? 0, recentInstalls: of?.recent ?? 0, stars: starred?.stars ?? 0 }]];
    }),
  );
}
