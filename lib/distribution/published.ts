import type { Prisma, Publisher as PublisherRow, Skill as SkillRow } from "@/lib/db/generated/client";
import { capDescription, capLabel } from "@/lib/skill-format/cap-description";
import type { SkillPackage } from "./package-files";

export const publishedVersion = {
  id: true,
  digest: true,
  number: true,
  state: true,
  grants: true,
  provenance: true,
  changelog: true,
  createdAt: true,
  decidedAt: true,
  tampered: true,
  createdById: true,
  submittedById: true,
  decisions: { where: { standing: "counts" }, select: { standing: true, statement: true } },
} satisfies Prisma.VersionSelect;
export type PublishedVersion = Prisma.VersionGetPayload<{ select: typeof publishedVersion }>;

/** The columns of a skill that viewers may learn of, and those that decide whether they do. */
export type PublishedSkill = Pick<
  SkillRow,
  | "id"
  | "ownerKey"
  | "ownerId"
  | "name"
  | "slug"
  | "liveSlug"
  | "toolName"
  | "label"
  | "class"
  | "category"
  | "license"
  | "tags"
  | "allowedTools"
  | "requires"
  | "source"
  | "sourceId"
  | "visibility"
  | "enabled"
  | "listed"
  | "currentId"
  | "createdAt"
  | "deletedAt"
  | "deprecatedAt"
  | "deprecatedReason"
  | "replacedById"
>;

export type PublishedRow = { skill: PublishedSkill; version: PublishedVersion };

/** An approved version of an enabled skill, as a viewer gets it. Created by `listPublished` and `findPublished`. */
export type Published = {
  skill: PublishedSkill;
  version: PublishedVersion;
  publisher: Pick<PublisherRow, "handle" | "displayName" | "userId" | "verifiedAt">;
  /** Name in every flat index; portable, and equal to that in its SKILL.md. */
  name: string;
  /** 1 to 1,024 characters. */
  description: string;
  digest: string;
  /** Packaged files: see `getPackagedFiles`. */
  files: SkillPackage["files"];
  package: SkillPackage;
  /** Owner's deprecation, with `@publisher/name` of the replacement. */
  deprecated: { reason: string; useInstead: string | null } | null;
};

/** Deprecation notice in full sentences; null when not deprecated. */
export function adviceAgainst({ deprecated }: Pick<Published, "deprecated">): string | null {
  if (deprecated === null) return null;
  const reason = /[.!?…]$/.test(deprecated.reason) ? deprecated.reason : `${deprecated.reason}.`;
  return `Deprecated: ${reason}${deprecated.useInstead === null ? "" : ` Use ${deprecated.useInstead} instead.`}`;
}

export function displayNameOf({ label, name }: Pick<Published["skill"], "label" | "name">): string {
  return label === null ? name : capLabel(label);
}

/** Description for clients that show nothing else, with any deprecation notice first. */
export function describePublished(published: Pick<Published, "deprecated" | "description">): string {
  const advice = adviceAgainst(published);
  return advice === null ? published.description : capDescription(`${advice} ${published.description}`, "units");
}
