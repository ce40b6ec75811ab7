import { setImmediate as otherWork } from "node:timers/promises";
import { storeOf } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { readOfferRevision } from "@/lib/db/offer-revision";
import { query, sqlOf } from "@/lib/db/sql";
import { publishersOf } from "@/lib/skills/community/publishers";
import { loadPackages } from "./load-packages";
import type { SkillPackage } from "./package-files";
import type { Published, PublishedRow, PublishedSkill, PublishedVersion } from "./published";

/** A listed, enabled skill with its approved active version, before any check whether a viewer is offered it. */
export type ActiveVersion = PublishedRow & {
  /** Undefined while it could not be built. */
  package: SkillPackage | undefined;
  publisher: Published["publisher"] | undefined;
  /** It may call other skills, whose classes count. */
  mayBePipeline: boolean;
};

type Joined = Omit<PublishedSkill, "id" | "createdAt"> &
  Omit<PublishedVersion, "id" | "createdAt" | "decisions"> & {
    skillId: string;
    skillCreatedAt: Date;
    versionId: string;
    versionCreatedAt: Date;
    mayBePipeline: boolean;
  };

const ACTIVE = query<Joined>(
  `SELECT s."id" AS "skillId", s."ownerKey", s."ownerId", s."name", s."slug", s."liveSlug", s."toolName", s."label",
     s."class", s."category", s."license", s."tags", s."allowedTools", s."requires", s."source", s."sourceId", s."visibility",
     s."enabled", s."listed", s."currentId", s."createdAt" AS "skillCreatedAt", s."deletedAt", s."deprecatedAt",
     s."deprecatedReason", s."replacedById", v."id" AS "versionId", v."digest", v."number", v."state", v."grants",
     v."provenance", v."changelog", v."createdAt" AS "versionCreatedAt", v."decidedAt", v."tampered", v."createdById",
     v."submittedById", (s."runnable" AND v."manifest" LIKE '%"pipeline"%') AS "mayBePipeline"
   FROM "Skill" s JOIN "Version" v ON v."id" = s."currentId"
   WHERE s."enabled" = ? AND s."deletedAt" IS NULL AND s."listed" = ? AND v."state" = 'approved' ORDER BY s."id"`,
  {
    ...{ enabled: "flag", listed: "flag", mayBePipeline: "flag" },
    ...{ skillCreatedAt: "date", deletedAt: "date", deprecatedAt: "date", versionCreatedAt: "date", decidedAt: "date" },
  },
);
const COUNTING = query<PublishedVersion["decisions"][number] & { versionId: string }>(
  `SELECT d."versionId", d."standing", d."statement" FROM "Skill" s JOIN "Decision" d ON d."versionId" = s."currentId"
   WHERE s."enabled" = ? AND s."deletedAt" IS NULL AND d."standing" = 'counts' ORDER BY d."id"`,
);

type Kept = { revision: number; versions: Promise<ActiveVersion[]>; until: number };

/** While a package is missing, it is tried again once a minute. */
const RETRY_MS = 60_000;

/**
 * The active versions of all owners, by skill id, kept in memory under the offer revision: triggers raise it with every
 * write to a column that is read here, so what is returned is never older than the last commit. The same list is returned
 * until something changes.
 */
export async function activeVersions(ctx: Ctx): Promise<readonly ActiveVersion[]> {
  if (ctx.tx) return readActive(ctx);
  // Read first: the versions are then at least as new as this revision.
  const revision = await readOfferRevision(ctx);
  const kept = storeOf(ctx.database, "active-versions", (): { last: Kept | null } => ({ last: null }));
  const now = ctx.now().getTime();
  if (kept.last?.revision === revision && now < kept.last.until) return kept.last.versions;
  const mine: Kept = { revision, versions: readActive(ctx), until: Number.POSITIVE_INFINITY };
  kept.last = mine;
  mine.versions.then(
    (versions) => {
      if (versions.some(isUnpacked)) mine.until = now + RETRY_MS;
    },
    () => {
      if (kept.last === mine) kept.last = null;
    },
  );
  return mine.versions;
}

function isUnpacked({ version, package: packed }: ActiveVersion): boolean {
  return packed === undefined && version.tampered === null;
}

/** Rows between which other requests are served. */
const AT_ONCE = 500;

async function readActive(ctx: Ctx): Promise<ActiveVersion[]> {
  const sql = sqlOf(ctx);
  const rows = await sql.all(ACTIVE, true, true);
  await otherWork();
  const counting = new Map<string, PublishedVersion["decisions"]>();
  for (const { versionId, ...decision } of await sql.all(COUNTING, true)) {
    const others = counting.get(versionId);
    if (others === undefined) counting.set(versionId, [decision]);
    else others.push(decision);
  }
  await otherWork();
  const packages = await loadPackages(
    ctx,
    rows.flatMap(({ versionId, name, slug, tampered }) =>
      tampered === null ? [{ versionId, skill: { name, slug } }] : [],
    ),
  );
  const publishers = await publishersOf(ctx, rows);
  const versions: ActiveVersion[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await otherWork();
    versions.push({
      ...splitRow(row, counting.get(row.versionId) ?? []),
      package: packages.get(row.versionId),
      publisher: publishers.get(row.ownerKey),
      mayBePipeline: row.mayBePipeline,
    });
  }
  return versions;
}

function splitRow(row: Joined, decisions: PublishedVersion["decisions"]): PublishedRow {
  const { digest, number, state, grants, provenance, changelog, decidedAt, tampered, createdById, ...rest } = row;
  const { submittedById, skillId, skillCreatedAt, versionId, versionCreatedAt, mayBePipeline: _, ...skill } = rest;
  return {
    skill: { ...skill, id: skillId, createdAt: skillCreatedAt },
    version: {
      ...{ id: versionId, digest, number, state, grants, provenance, changelog, createdAt: versionCreatedAt },
      ...{ decidedAt, tampered, createdById, submittedById, decisions },
    },
  };
}
