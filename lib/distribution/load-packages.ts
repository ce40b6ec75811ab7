import { setImmediate as otherWork } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { sha256Hex } from "@/lib/core/hash";
import { keepParsed } from "@/lib/core/json";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import { writeZip } from "@/lib/skill-format/export/write-archive";
import { readVersionFiles } from "@/lib/skills/versions/read-blob";
import { storeArchive } from "./archive-cache";
import { PACKAGE_FORMAT, PackageFiles, packageFiles, type SkillPackage } from "./package-files";

type PackagedVersion = { versionId: string; skill: { name: string; slug: string } };

/**
 * Loads the packages of versions, by version id, and builds missing ones. A package depends on the files alone, so it
 * never goes stale. A version whose stored bytes are damaged has none.
 */
export async function loadPackages(ctx: Ctx, versions: PackagedVersion[]): Promise<Map<string, SkillPackage>> {
  const ids = JSON.stringify(versions.map(({ versionId }) => versionId));
  const rows = await sqlOf(ctx).all(PACKAGES, ids, PACKAGE_FORMAT);
  const found = new Map<string, SkillPackage>();
  for (const [index, row] of rows.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await otherWork();
    found.set(row.versionId, readRow(row));
  }
  for (const version of versions) {
    if (found.has(version.versionId)) continue;
    const made = await makeOnce(ctx, version);
    if (made !== null) found.set(version.versionId, made);
  }
  return found;
}

const packages = (dialect: Dialect) =>
  `SELECT "versionId", "form", "name", "description", "files", "zipSha256", "zipSize", "problem" FROM "DoorPackage"
   WHERE "versionId" IN ${jsonList(dialect)} AND "format" = ?`;
const PACKAGES = query<Row & { versionId: string }>({
  sqlite: packages("sqlite"),
  postgresql: packages("postgresql"),
});
/** Rows between which other requests are served. */
const AT_ONCE = 500;

type Row = { form: string; files: string } & Pick<
  SkillPackage,
  "name" | "description" | "zipSha256" | "zipSize" | "problem"
>;

function readRow({ form, files, name, description, zipSha256, zipSize, problem }: Row): SkillPackage {
  const parsed = keepParsed(PackageFiles, files);
  const known = form === "original" || form === "spec" ? form : "none";
  return { form: known, name, description, files: parsed, zipSha256, zipSize, problem };
}

/** A failed build is retried, and logged, at most once a minute. */
const RETRY_MS = 60_000;
const MAX_FAILED = 10_000;

/** Concurrent callers share one build. */
function makeOnce(ctx: Ctx, version: PackagedVersion): Promise<SkillPackage | null> {
  const making = processStore("distribution-packages", () => new Map<string, Promise<SkillPackage | null>>());
  const key = version.versionId;
  const known = making.get(key);
  if (known !== undefined) return known;
  const failed = processStore("distribution-packages-failed", () => new LRUCache<string, number>({ max: MAX_FAILED }));
  if (ctx.now().getTime() - (failed.get(key) ?? Number.NEGATIVE_INFINITY) < RETRY_MS) return Promise.resolve(null);
  const made = makePackage(ctx, version)
    .catch((err: unknown) => {
      logger.error({ err, versionId: key }, "a version could not be packed for distribution");
      failed.set(key, ctx.now().getTime());
      return null;
    })
    .finally(() => making.delete(key));
  making.set(key, made);
  return made;
}

/** Builds the package of a version and caches its ZIP on disk. Throws when the stored files do not match the digest. */
export async function makePackage(ctx: Ctx, { versionId, skill }: PackagedVersion): Promise<SkillPackage> {
  const files = await ctx.database.reader.versionFile.findMany({ where: { versionId }, orderBy: { path: "asc" } });
  const { digest } = await ctx.database.reader.version.findUniqueOrThrow({ where: { id: versionId } });
  const stored = await readVersionFiles(ctx, { files });
  const sums = stored.map((file) => ({ ...file, sha256: sha256Hex(file.bytes) }));
  if (digestFiles(sums) !== digest) throw new Error("the stored files do not match the digest of the version");
  const packaged = packageFiles(skill, stored);
  const zip = packaged.form === "none" ? new Uint8Array() : await writeZip("", packaged.files);
  const made: SkillPackage = {
    form: packaged.form,
    name: packaged.name,
    description: packaged.description,
    files: packaged.files.map(({ path, mode, bytes }) => ({
      ...{ path, mode, size: bytes.length, sha256: sha256Hex(bytes) },
    })),
    zipSha256: sha256Hex(zip),
    zipSize: zip.length,
    problem: packaged.problem,
  };
  if (made.form !== "none") {
    await storeArchive(ctx, { id: versionId, digest }, { format: "zip", bytes: zip, sha256: made.zipSha256 });
  }
  await keep(ctx, versionId, made);
  return made;
}

/** Failing to store the package only costs the next caller the work. */
async function keep(ctx: Ctx, versionId: string, made: SkillPackage): Promise<void> {
  const layer = { layerSha256: null, layerSize: null };
  const data = { ...made, ...layer, files: JSON.stringify(made.files), format: PACKAGE_FORMAT };
  try {
    await inTransaction(ctx, (tx) =>
      tx.doorPackage.upsert({ where: { versionId }, create: { versionId, ...data }, update: data }),
    );
  } catch (err) {
    logger.warn({ err, versionId }, "a package could not be stored");
  }
}
