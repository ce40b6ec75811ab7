import type { Prisma } from "@/lib/db/generated/client";
import type { PublisherRow } from "@/lib/skills/community/publishers";
import type { DoorPackage } from "./packages/schema";

/** What of a version the doors look at. */
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
  files: DoorPackage["files"];
  package: DoorPackage;
  /** What its owner says against taking it into use, with `@publisher/name` of what to use instead; null for most. */
  deprecated: { reason: string; useInstead: string | null } | null;
};
