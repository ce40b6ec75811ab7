import { setImmediate as otherWork } from "node:timers/promises";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { readOfferRevision } from "@/lib/db/offer-revision";
import { query, sqlOf } from "@/lib/db/sql";
import { canCacheArchives, listCachedArchives, MAX_CACHE_BYTES, trimArchives } from "./archive-cache";
import { loadPackages, makePackage } from "./load-packages";
import { PACKAGE_FORMAT } from "./package-files";

/** At a time, so that other work has its turn. */
const BATCH = 50;
/** How long archives are made in one go; the job comes again in three seconds. */
const WARM_MS = 1_000;
/** Above it no archive is made ahead: it would evict another one. */
const FULL_BYTES = MAX_CACHE_BYTES * 0.9;

type Due = { versionId: string; name: string; slug: string };

/** Versions that serve come first; older approved ones can be fetched by their git commit. */
const DUE = query<Due>(
  `SELECT v."id" AS "versionId", s."name", s."slug" FROM "Version" v JOIN "Skill" s ON s."id" = v."skillId"
   LEFT JOIN "DoorPackage" p ON p."versionId" = v."id" AND p."format" = ?
   WHERE v."state" = 'approved' AND s."deletedAt" IS NULL AND p."versionId" IS NULL
   ORDER BY CASE WHEN s."currentId" = v."id" THEN 0 ELSE 1 END, v."id" DESC LIMIT ?`,
);

/** What is offered now, and can travel. */
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
 * Works out how approved versions travel, the newest first, and makes the archives of those that serve, so that neither an index
 * nor a download need wait for it: clients give up after ten seconds. Answers how many it packed.
 */
export async function packApprovedVersions(ctx: Ctx): Promise<number> {
  const due = await sqlOf(ctx).all(DUE, PACKAGE_FORMAT, BATCH);
  const versions = due.map(({ versionId, name, slug }) => ({ versionId, skill: { name, slug } }));
  const packed = await loadPackages(ctx, versions);
  return packed.size + (await warmArchives(ctx));
}

/** Makes archives that are not on disk yet, for at most a second, and removes those of versions that are approved no more. */
async function warmArchives(ctx: Ctx): Promise<number> {
  const warmed = processStore("distribution-archives-prebuilt", () => new Map<string, number>());
  const place = ctx.database.workFolder;
  const revision = await readOfferRevision(ctx);
  if (warmed.get(place) === revision || !(await canCacheArchives(ctx))) return 0;
  const approved = new Set((await sqlOf(ctx).all(APPROVED)).map(({ id }) => id));
  await trimArchives(ctx, { most: MAX_CACHE_BYTES, isNeeded: (id) => approved.has(id) });
  const { zips, bytes } = await listCachedArchives(ctx);
  const missing = (await sqlOf(ctx).all(SERVING, PACKAGE_FORMAT)).filter(({ versionId }) => !zips.has(versionId));
  const until = performance.now() + WARM_MS;
  let [made, size] = [0, bytes];
  for (const { versionId, name, slug } of missing) {
    if (size > FULL_BYTES) break;
    if (performance.now() > until) return made;
    try {
      size += (await makePackage(ctx, { versionId, skill: { name, slug } })).zipSize;
      made += 1;
    } catch (err) {
      logger.warn({ err, versionId }, "the archive of a version could not be made ahead");
    }
    await otherWork();
  }
  warmed.set(place, revision);
  return made;
}
