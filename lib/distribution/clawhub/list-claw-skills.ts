import { z } from "zod";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { listPublished } from "../list-published";
import type { Published } from "../published";
import { nameVersions } from "../version-names/name-versions";
import { countUse, UNUSED, type Use } from "./count-use";
import { presentMetadata, presentOwner, presentSkill, presentVersion, updatedAt } from "./present-skill";
import type { ClawListQuery } from "./schema";

const Position = z.tuple([z.number(), z.string()]);

/** `GET /api/v1/skills`: what is offered, in pages; the cursor is a position and survives approvals in between. */
export async function listClawSkills(ctx: Ctx, { limit, sort, cursor, prefix }: ClawListQuery) {
  const all = await listPublished(ctx, { kind: "root" });
  const found = prefix === undefined ? all : all.filter(({ name }) => name.startsWith(prefix));
  const ids = found.map(({ skill }) => skill.id);
  const uses = await countUse(ctx, ids);
  const rankOf = (one: Published) => rank(sort, one, uses.get(one.skill.id) ?? UNUSED);
  const after = cursor === undefined ? null : decodeCursor(Position, cursor);
  const ranked = found
    .map((one) => ({ one, rank: rankOf(one) }))
    .sort((a, b) => b.rank - a.rank || (a.one.name < b.one.name ? -1 : 1))
    .filter(({ one, rank }) => after === null || rank < after[0] || (rank === after[0] && one.name > after[1]));
  const page = toPage(ranked.slice(0, limit + 1), limit, ({ one, rank }) => [rank, one.name]);
  const names = await nameVersions(
    ctx,
    page.items.map(({ one }) => one.skill.id),
  );
  const items = page.items.map(({ one }) => {
    const name = names.get(one.version.id) ?? "";
    return {
      ...presentSkill(one, uses.get(one.skill.id) ?? UNUSED, name),
      latestVersion: presentVersion(one, name),
      metadata: presentMetadata(one),
      owner: presentOwner(one),
    };
  });
  return { items, nextCursor: page.nextCursor };
}

/** Greater comes first; equals come by name. */
function rank(sort: ClawListQuery["sort"], one: Published, use: Use): number {
  if (sort === "name") return 0;
  if (sort === "createdAt" || sort === "newest") return one.skill.createdAt.getTime();
  if (sort === "downloads" || sort === "installs") return use.installs;
  if (sort === "stars" || sort === "rating") return use.stars;
  if (sort === "trending" || sort === "recommended") return use.recentInstalls + use.stars;
  return updatedAt(one);
}
