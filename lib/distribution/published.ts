import type { Prisma, Publisher as PublisherRow } from "@/lib/db/generated/client";
import { capDescription, capLabel } from "@/lib/skill-format/cap-description";
import type { SkillPackage } from "./package-files";

/** The columns of a version that the endpoints read. */
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

export type PublishedSkill = Prisma.SkillGetPayload<object>;

/** A version together with its skill, before it is known how it travels. */
export type PublishedRow = { skill: PublishedSkill; version: PublishedVersion };

/** An approved version of a skill that is switched on, as a viewer gets it. Made by `listPublished` and `findPublished`. */
export type Published = {
  skill: PublishedSkill;
  version: PublishedVersion;
  publisher: PublisherRow;
  /** The one name in every flat index; portable, and that of its SKILL.md. */
  name: string;
  /** 1 to 1,024 characters. */
  description: string;
  /** Of the version, 64 hex digits. */
  digest: string;
  /** As they travel: see `filesOf`. */
  files: SkillPackage["files"];
  package: SkillPackage;
  /** What its owner says against taking it into use, with `@publisher/name` of what to use instead; null for most. */
  deprecated: { reason: string; useInstead: string | null } | null;
};

/** What its owner advises, in sentences that end with a full stop; null for what is not deprecated. */
export function adviceAgainst({ deprecated }: Pick<Published, "deprecated">): string | null {
  if (deprecated === null) return null;
  const reason = /[.!?…]$/.test(deprecated.reason) ? deprecated.reason : `${deprecated.reason}.`;
  return `Deprecated: ${reason}${deprecated.useInstead === null ? "" : ` Use ${deprecated.useInstead} instead.`}`;
}

/** What clients show as its name: its label, capped, or its name. */
export function displayNameOf({ label, name }: Pick<Published["skill"], "label" | "name">): string {
  return label === null ? name : capLabel(label);
}

/** The description for clients that show nothing else of a skill, capped: advice against it stands before it. */
export function describePublished(published: Pick<Published, "deprecated" | "description">): string {
  const advice = adviceAgainst(published);
  return advice === null ? published.description : capDescription(`${advice} ${published.description}`, "units");
}
