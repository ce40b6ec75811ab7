import type { Actor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { releaseManifest } from "@/lib/skills/approval/release-manifest";
import { publishersOf } from "@/lib/skills/community/publishers";
import { loadFilesAndDecisions } from "@/lib/skills/skill-access";
import { isWithheld } from "@/lib/skills/versions/agent-file-access";
import { readVersionFiles } from "@/lib/skills/versions/read-blob";
import { loadPackages } from "./load-packages";

import { knownTo, offeredTo } from "./offered-skills";
import type { SkillPackage } from "./package-files";
import { type Published, type PublishedRow, type PublishedVersion, publishedVersion } from "./published";

/** Adds packages and publishers, and leaves out what clients cannot install. Keeps the order. */
export async function presentPublished(ctx: Ctx, candidates: PublishedRow[]): Promise<Published[]> {
  const versions = candidates.map(({ skill, version }) => ({ versionId: version.id, skill }));
  const packages = await loadPackages(ctx, versions);
  const released = new Set((await releaseManifest()).builtins.map(({ digest }) => digest));
  const skills = candidates.map(({ skill }) => skill);
  const publishers = await publishersOf(ctx, skills);
  const replacements = await replacementsOf(ctx, candidates);
  const nameOf = (id: string | null) => replacements.get(id ?? "") ?? null;
  return candidates.flatMap((row) => {
    const whole = { ...row, package: packages.get(row.version.id), publisher: publishers.get(row.skill.ownerKey) };
    return presentRow(ctx.actor, whole, { released, nameOf }) ?? [];
  });
}

type WholeRow = PublishedRow & { package: SkillPackage | undefined; publisher: Published["publisher"] | undefined };

type Among = {
  /** Digests of the built-ins of this release. */
  released: ReadonlySet<string>;
  /** `@publisher/name` of a replacement by its id, null when the viewer is not offered it. */
  nameOf(id: string | null): string | null;
};

/** Presents an offered version; null when clients cannot install it. */
export function presentRow(actor: Actor, row: WholeRow, { released, nameOf }: Among): Published | null {
  const { skill, version, publisher, package: packed } = row;
  if (packed === undefined || publisher === undefined || !isInstallable(actor, version, packed)) return null;
  // Workers run built-ins; as a folder of files they are useless.
  if (skill.source === "worker" && released.has(version.digest)) return null;
  const { name, description, files } = packed;
  const deprecated =
    skill.deprecatedAt === null
      ? null
      : { reason: skill.deprecatedReason ?? "", useInstead: nameOf(skill.replacedById) };
  return { skill, version, publisher, name, description, digest: version.digest, files, package: packed, deprecated };
}

/** Presents one version. Throws `version_tampered` when its stored bytes do not match. */
export async function presentOne(ctx: Ctx, row: PublishedRow): Promise<Published | undefined> {
  const [published] = await presentPublished(ctx, [row]);
  if (published === undefined) await readVersionFiles(ctx, await loadFilesAndDecisions(ctx, row.version.id));
  return published;
}

/** Agents get nothing of a skill with withheld scripts, since its digest covers them. */
function isInstallable(actor: Actor, version: PublishedVersion, packed: SkillPackage): boolean {
  return packed.form !== "none" && !packed.files.some((file) => isWithheld(actor, version, file));
}

/** Replacements as `@publisher/name` by skill id, limited to what the viewer is offered. */
async function replacementsOf(ctx: Ctx, candidates: PublishedRow[]): Promise<Map<string, string>> {
  const ids = candidates.flatMap(({ skill }) => (skill.deprecatedAt && skill.replacedById ? [skill.replacedById] : []));
  if (ids.length === 0) return new Map();
  const { isOffered } = await offeredTo(ctx);
  const rows = await ctx.db.skill.findMany({
    where: { AND: [knownTo(ctx.actor), { id: { in: ids } }] },
    include: { current: { select: publishedVersion } },
  });
  const offered = rows.filter(({ current, ...skill }) => current !== null && isOffered(skill, current));
  const publishers = await publishersOf(ctx, offered);
  return new Map(offered.map(({ id, ownerKey, slug }) => [id, `@${publishers.get(ownerKey)?.handle}/${slug}`]));
}
