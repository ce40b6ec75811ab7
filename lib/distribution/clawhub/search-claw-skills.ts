import { z } from "zod";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { listPublished } from "../list-published";
import { publicAddress } from "../public-address";
import { describePublished, displayNameOf, type Published } from "../published";
import { takeFirst } from "../take-first";
import { nameVersions } from "../version-names";
import {
  countUse,
  presentMetadata,
  presentOwner,
  presentSkill,
  presentVersion,
  UNUSED,
  type Use,
  updatedAt,
} from "./present-skill";
import type { ClawListQuery } from "./schema";

type Query = { q: string; limit: number; mode?: "exact" | undefined };

/** `GET /api/v1/search`: exact names first, then prefixes, then words; ties by installs. */
export async function searchClawSkills(ctx: Ctx, { q, limit, mode }: Query) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const all = await listPublished(ctx, { kind: "root" });
  const matches = all
    .map((one) => ({ one, points: pointsOf(one, words) }))
    .filter(({ one, points }) => (mode === "exact" ? one.name === words.join(" ") : points > 0));
  const found = matches.map(({ one }) => one);
  const installs = await countUse(ctx, found, { withStars: false });
  const scored = takeFirst(
    matches.map(({ one, points }) => ({ one, score: points + Math.log10(1 + useOf(installs, one).installs) / 100 })),
    limit,
    (a, b) => b.score - a.score || (a.one.name < b.one.name ? -1 : 1),
  );
  const shown = scored.map(({ one }) => one);
  const uses = await countUse(ctx, shown);
  const results = scored.map((found) => ({ ...found, use: useOf(uses, found.one) }));
  const names = await nameVersions(
    ctx,
    shown.map(({ skill }) => skill.id),
  );
  return {
    results: results.map(({ one, score, use }) => ({
      slug: one.name,
      ownerHandle: one.publisher.handle,
      displayName: displayNameOf(one.skill),
      summary: describePublished(one),
      version: names.get(one.version.id) ?? null,
      score,
      downloads: use.installs,
      updatedAt: updatedAt(one),
      owner: presentOwner(one),
      publisher: presentOwner(one),
      source: "clawhub" as const,
      canonicalUrl: publicAddress(`/skills/${one.skill.id}`),
      official: one.publisher.verifiedAt !== null,
      install: { kind: "clawhub" as const, reference: `@${one.publisher.handle}/${one.name}`, sourceUrl: null },
      trust: {
        visibility: "public" as const,
        installability: "installable" as const,
        clawHubVerdict: "clean",
        upstreamScanners: {},
        sourceFreshness: "native" as const,
      },
      metrics: { rolling60DayInstalls: use.recentInstalls, bookmarks: use.stars, updatedAt: updatedAt(one) },
    })),
  };
}

/** `GET /api/v1/trending`: most installed in the last 60 days. */
export async function listTrending(ctx: Ctx, limit: number) {
  const all = await listPublished(ctx, { kind: "root" });
  const uses = await countUse(ctx, all, { withStars: false });
  const recent = (one: Published) => useOf(uses, one).recentInstalls;
  const items = takeFirst(all, limit, (a, b) => recent(b) - recent(a) || (a.name < b.name ? -1 : 1)).map((one) => ({
    slug: one.name,
    displayName: displayNameOf(one.skill),
    summary: describePublished(one),
    source: "clawhub" as const,
    ownerHandle: one.publisher.handle,
    publisher: presentOwner(one),
    metrics: { rolling60DayInstalls: recent(one), updatedAt: updatedAt(one) },
  }));
  return { items };
}

function pointsOf({ name, description, skill }: Published, words: string[]): number {
  if (words.length === 0) return 3;
  const text = `${name} ${skill.label ?? ""} ${description} ${skill.tags}`.toLowerCase();
  if (!words.every((word) => text.includes(word))) return 0;
  const whole = words.join("-");
  if (name === whole) return 4;
  if (name.startsWith(whole)) return 3;
  return words.every((word) => name.includes(word)) ? 2 : 1;
}

const Position = z.tuple([z.number(), z.string()]);

/**
 * `GET /api/v1/skills`: pages of offered skills; the cursor is a position, so approvals in between do not affect it.
 */
export async function listClawSkills(ctx: Ctx, { limit, sort, cursor, prefix }: ClawListQuery) {
  const all = await listPublished(ctx, { kind: "root" });
  const found = prefix === undefined ? all : all.filter(({ name }) => name.startsWith(prefix));
  const uses = BY_USE.has(sort) ? await countUse(ctx, found) : new Map<string, Use>();
  const rankOf = (one: Published) => rank(sort, one, useOf(uses, one));
  const after = cursor === undefined ? null : decodeCursor(Position, cursor);
  const ranked = takeFirst(
    found
      .map((one) => ({ one, rank: rankOf(one) }))
      .filter(({ one, rank }) => after === null || rank < after[0] || (rank === after[0] && one.name > after[1])),
    limit + 1,
    (a, b) => b.rank - a.rank || (a.one.name < b.one.name ? -1 : 1),
  );
  const page = toPage(ranked, limit, ({ one, rank }) => [rank, one.name]);
  const shown = page.items.map(({ one }) => one);
  const names = await nameVersions(
    ctx,
    shown.map(({ skill }) => skill.id),
  );
  const used = BY_USE.has(sort) ? uses : await countUse(ctx, shown);
  const items = shown.map((one) => {
    const name = names.get(one.version.id) ?? "";
    return {
      ...presentSkill(one, useOf(used, one), name),
      latestVersion: presentVersion(one, name),
      metadata: presentMetadata(one),
      owner: presentOwner(one),
    };
  });
  return { items, nextCursor: page.nextCursor };
}

const BY_USE: ReadonlySet<ClawListQuery["sort"]> = new Set([
  ...(["downloads", "installs", "stars", "rating", "trending", "recommended"] as const),
]);

function useOf(uses: ReadonlyMap<string, Use>, { skill }: Published): Use {
  return uses.get(skill.id) ?? UNUSED;
}

/** Sort key, descending; ties by name. */
function rank(sort: ClawListQuery["sort"], one: Published, use: Use): number {
  if (sort === "name") return 0;
  if (sort === "createdAt" || sort === "newest") return one.skill.createdAt.getTime();
  if (sort === "downloads" || sort === "installs") return use.installs;
  if (sort === "stars" || sort === "rating") return use.stars;
  if (sort === "trending" || sort === "recommended") return use.recentInstalls + use.stars;
  return updatedAt(one);
}
