import { isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { findPublisher, ownedBy } from "@/lib/skills/community/publishers";
import { assertUntampered } from "../build-archive";
import { pickOffered } from "../find-version";
import { listPublished } from "../list-published";
import { knownTo } from "../offered-skills";
import { presentOne } from "../present-published";
import { type Published, type PublishedRow, publishedVersion } from "../published";
import { nameVersions } from "../version-names";
import type { Pin, SkillReference } from "./schema";

type NamedVersion = { published: Published; name: string };

/**
 * Finds a version of a skill by name, else its active one. Without a publisher the slug is resolved for the viewer.
 * Throws `gone` for a revoked version, or a disabled or deleted skill.
 */
export async function findPinned(ctx: Ctx, wanted: SkillReference, pin: Pin = {}): Promise<NamedVersion> {
  const text = pinnedName(pin);
  const skillIds = await candidates(ctx, wanted);
  const skills = await ctx.db.skill.findMany({
    where: { AND: [knownTo(ctx.actor), { id: { in: skillIds } }] },
    include: { versions: { where: { state: { in: ["approved", "revoked"] } }, select: publishedVersion } },
  });
  const names = await nameVersions(ctx, skillIds);
  const rows = skills
    .sort((a, b) => skillIds.indexOf(a.id) - skillIds.indexOf(b.id))
    .flatMap(({ versions, ...skill }) =>
      versions
        .filter((version) => (text === null ? isServing(skill, version) : names.get(version.id) === text))
        .map((version) => ({ skill, version })),
    );
  const published = await presentOne(ctx, await pick(ctx, rows));
  if (published === undefined) throw new AppError("not_found", "Skill not found: it is not offered to other programs.");
  return { published, name: names.get(published.version.id) ?? "" };
}

/** Same, and checks the stored version against its approval: see `assertUntampered`. */
export async function findUntampered(ctx: Ctx, wanted: SkillReference, pin: Pin = {}): Promise<NamedVersion> {
  const found = await findPinned(ctx, wanted, pin);
  await assertUntampered(ctx, found.published);
  return found;
}

/** From “not found” in this message the CLI learns that a skill can be published for the first time. */
async function pick(ctx: Ctx, rows: PublishedRow[]): Promise<PublishedRow> {
  return pickOffered(ctx, rows).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    throw new AppError("not_found", "Skill not found: no such version is approved and switched on.");
  });
}

/** Ids of the skills with this slug, the resolved one first; active before former ones. */
async function candidates(ctx: Ctx, { slug, ownerHandle }: SkillReference): Promise<string[]> {
  const where: Prisma.SkillWhereInput[] = [knownTo(ctx.actor), { slug }];
  const handle = ownerHandle?.replace(/^@+/, "");
  if (handle) {
    const publisher = await findPublisher(ctx, handle);
    if (publisher === null) throw new AppError("not_found", `Skill not found: there is no publisher @${handle}.`);
    where.push(ownedBy(publisher));
  }
  const known = await ctx.db.skill.findMany({
    where: { AND: where },
    select: { id: true },
    orderBy: [{ liveSlug: { sort: "desc", nulls: "last" } }, { id: "desc" }],
  });
  if (known.length === 0) {
    const hint = isPerson(ctx.actor) ? "" : " Sign in to see skills that are not public.";
    throw new AppError("not_found", `Skill not found: there is no “${slug}” that you can see.${hint}`);
  }
  const ids = known.map(({ id }) => id);
  if (handle || ids.length === 1) return ids;
  const [winner] = await listPublished(ctx, { kind: "root" }, { name: slug });
  return winner === undefined ? ids : [winner.skill.id];
}

function isServing(skill: { currentId: string | null }, version: { id: string; state: string }): boolean {
  // Without an active version, the revoked ones say that the skill is gone.
  return skill.currentId === null ? version.state === "revoked" : skill.currentId === version.id;
}

function pinnedName({ version, tag }: Pin): string | null {
  if (version !== undefined && version !== "latest") return version.replace(/^v(?=\d)/, "");
  if (tag !== undefined && tag !== "latest") throw new AppError("not_found", `Tag not found: only “latest” is kept.`);
  return null;
}
