import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { loadPackages } from "./load-packages";
import { PACKAGE_FORMAT } from "./package-files";

/** At a time, so that other work has its turn. */
const BATCH = 50;

const DUE = query<{ versionId: string; name: string; slug: string }>(
  `SELECT s."currentId" AS "versionId", s."name", s."slug" FROM "Skill" s
   LEFT JOIN "DoorPackage" p ON p."versionId" = s."currentId" AND p."format" = ?
   WHERE s."currentId" IS NOT NULL AND s."deletedAt" IS NULL AND p."versionId" IS NULL
   ORDER BY s."currentId" DESC LIMIT ?`,
);

/**
 * Works out how approved versions travel, the newest first, so that an index need not wait for it: clients give up after ten
 * seconds. Answers how many it packed.
 */
export async function packDueVersions(ctx: Ctx): Promise<number> {
  const due = await sqlOf(ctx).all(DUE, PACKAGE_FORMAT, BATCH);
  const packed = await loadPackages(
    ctx,
    due.map(({ versionId, name, slug }) => ({ versionId, skill: { name, slug } })),
  );
  return packed.size;
}
