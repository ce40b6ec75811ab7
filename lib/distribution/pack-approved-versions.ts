import { setImmediate as otherWork } from "node:timers/promises";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { readOfferRevision } from "@/lib/db/offer-revision";
import { query, sqlOf } from "@/lib/db/sql";
import { canCacheArchives, listCachedArchives, MAX_CACHE_BYTES, trimArchives } from "./archive-cache";
import { loadPackages, makePackage } from "./load-packages";
import { PACKAGE_FORMAT } from "./package-files";

/** Per call, so that other jobs get their turn. */
const BATCH = 50;
/** Time budget per call; the job runs every three seconds. */
const PREBUILD_MS = 1_000;
/** Above it no archive is prebuilt, since it would evict another. */
const FULL_BYTES = MAX_CACHE_BYTES * 0.9;

type Due = { versionId: string; name: string; slug: string };

/** Active versions first; older approved ones can be fetched by their git commit. */
const DUE = query<Due>(
  `SELECT v."id" AS "versionId", s."name", s."slug" FROM "Version" v JOIN "Skill" s ON s."id" = v."skillId"
   LEFT JOIN "DoorPackage" p ON p."versionId" = v."id" AND p."format" = ?
   WHERE v."state" = 'approved' AND s."deletedAt" IS NULL AND p."versionId" IS NULL
   ORDER BY CASE WHEN s."currentId" = v."id" THEN 0 ELSE 1 END, v."id" DESC LIMIT ?`,
);

/** Reads an index alone, for the usual case that all is packed. Versions of deleted skills may be found, too. */
const ANY_DUE = query<{ id: string }>(
  `SELECT v."id" FROM "Version" v WHERE v."state" = 'approved'
     AND NOT EXISTS (SELECT 1 FROM "DoorPackage" p WHERE p."versionId" = v."id" AND p."format" = ?) LIMIT 1`,
);

const SERVING = query<Due>(
  `SELECT v."id" AS "versionId", s."name", s."slug" FROM "Skill" s JOIN "Version" v ON v."id" = s."currentId"
   JOIN "DoorPackage" p ON p."versionId" = v."id" AND p."format" = ? AND p."form" <> 'none'
   WHERE v."state" = 'approved' AND v."tampered" IS NULL AND s."deletedAt" IS NULL AND s."enabled"
   ORDER BY v."id" DESC`,
);

const APPROVED = query<{ id: string }>(
  `SELECT v."id" FROM "Version" v JOIN "Skill" s ON s."id" = v."skillId"
   WHERE v."state" = 'approved' AND s."deletedAt" IS NULL`,
);

/**
 * Packs approved versions, newest first, and prebuilds the archives of active ones, so that no index or download waits:
 * clients time out after ten seconds. Returns the number packed.
 */
export async function packApprovedVersions(ctx: Ctx): Promise<number> {
  const isDue = (await sqlOf(ctx).get(ANY_DUE, PACKAGE_FORMAT)) !== undefined;
  const due = isDue ? await sqlOf(ctx).all(DUE, PACKAGE_FORMAT, BATCH) : [];
  const versions = due.map(({ versionId, name, slug }) => ({ versionId, skill: { name, slug } }));
  const packed = await loadPackages(ctx, versions);
  return packed.size + (await prebuildArchives(ctx));
}

/** Prebuilds missing archives for at most a second, and removes those of versions that are no longer approved. */
async function prebuildArchives(ctx: Ctx): Promise<number> {
  const prebuilt = processStore("distribution-archives-prebuilt", () => new Map<string, number>());
  const place = ctx.database.workFolder;
  const revision = await readOfferRevision(ctx);
  if (prebuilt.get(place) === revision || !(await canCacheArchives(ctx))) return 0;
  const approved = new Set((await sqlOf(ctx).all(APPROVED)).map(({ id }) => id));
  await trimArchives(ctx, { most: MAX_CACHE_BYTES, isNeeded: (id) => approved.has(id) });
  const { zips, bytes } = await listCachedArchives(ctx);
  const missing = (await sqlOf(ctx).all(SERVING, PACKAGE_FORMAT)).filter(({ versionId }) => !zips.has(versionId));
  const until = performance.now() + PREBUILD_MS;
  let [made, size] = [0, bytes];
  for (const { versionId, name, slug } of missing) {
    if (size > FULL_BYTES) break;
    if (performance.now() > until) return made;
    try {
      size += (await makePackage(ctx, { versionId, skill: { name, slug } })).zipSize;
      made += 1;
    } catch (err) {
      logger.warn({ err, versionId }, "the archive of a version could not be prebuilt");
    }
    await otherWork();
  }
  prebuilt.set(place, revision);
  return made;
}
