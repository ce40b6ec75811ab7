import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";
import { fitsTar } from "@/lib/skill-format/export/write-archive";
import { getArchive } from "../build-archive";
import { PACKAGE_FORMAT } from "../package-files";
import type { Published } from "../published";

/** Hash and size in bytes of the archive of a version as a layer. */
export type Layer = { sha256: string; size: number };

/** Whether every path fits into the tar of a layer. */
export function hasLayer({ name, files }: Pick<Published, "name" | "files">): boolean {
  return files.every(({ path }) => fitsTar(`${name}/${path}`));
}

const layers = (dialect: Dialect) =>
  `SELECT "versionId", "layerSha256" AS "sha256", "layerSize" AS "size" FROM "DoorPackage"
   WHERE "versionId" IN ${jsonList(dialect)} AND "format" = ? AND "layerSha256" IS NOT NULL`;
const LAYERS = query<Layer & { versionId: string }>({ sqlite: layers("sqlite"), postgresql: layers("postgresql") });
const KEEP = query(
  `UPDATE "DoorPackage" SET "layerSha256" = ?, "layerSize" = ? WHERE "versionId" = ? AND "format" = ?`,
);

/** Layers that were made before, by version id. They follow from the files alone, so they never go stale. */
export async function knownLayers(ctx: Ctx, versionIds: readonly string[]): Promise<Map<string, Layer>> {
  const rows = await sqlOf(ctx).all(LAYERS, JSON.stringify(versionIds), PACKAGE_FORMAT);
  return new Map(rows.map(({ versionId, sha256, size }) => [versionId, { sha256, size }]));
}

/**
 * Makes the layer of an offered version and stores its hash, so that a manifest can be found by its digest. Failing to
 * store it only costs the next caller the work.
 */
export async function makeLayer(ctx: Ctx, published: Published): Promise<Layer> {
  const { bytes, sha256 } = await getArchive(ctx, published, "oci.tar.gz");
  const layer = { sha256, size: bytes.length };
  const versionId = published.version.id;
  try {
    await inTransaction(ctx, (_tx, txCtx) => sqlOf(txCtx).run(KEEP, sha256, layer.size, versionId, PACKAGE_FORMAT));
  } catch (err) {
    logger.warn({ err, versionId }, "the hash of a layer could not be stored");
  }
  return layer;
}
