import { sha256Hex } from "@/lib/core/hash";
import { logger } from "@/lib/core/logger";
import { type Ctx, inTransaction } from "@/lib/db/context";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";
import { getArchive } from "@/lib/distribution/build-archive";
import { PACKAGE_FORMAT } from "@/lib/distribution/package-files";
import type { Published } from "@/lib/distribution/published";
import { fitsTar } from "@/lib/skill-format/export/write-archive";

/** Media types of the OCI image specification 1.1. */
export const MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";
export const INDEX_TYPE = "application/vnd.oci.image.index.v1+json";
const EMPTY_TYPE = "application/vnd.oci.empty.v1+json";

/** Types that clients of skills in registries agreed on (agentskills/agentskills issue 290). */
const SKILL_TYPE = "application/vnd.agentskills.skill.v1";
const CONTENT_TYPE = "application/vnd.agentskills.skill.content.v1.tar+gzip";

/** The empty descriptor of the image specification, section “Guidance for an Empty Descriptor”. */
export const EMPTY_BYTES = new TextEncoder().encode("{}");
export const EMPTY_DIGEST = digestOf(EMPTY_BYTES);
const EMPTY = { mediaType: EMPTY_TYPE, digest: EMPTY_DIGEST, size: EMPTY_BYTES.length, data: "e30=" };

type Descriptor = { mediaType: string; digest: string; size: number };
/** A manifest as it is served; `digest` is of exactly these bytes. */
export type Manifest = Descriptor & {
  bytes: Uint8Array<ArrayBuffer>;
  artifactType: string;
  annotations: Record<string, string>;
};

type Described = { name: string; description: string; digest: string; versionName: string };

/**
 * The manifest of a version: one layer with all files below a folder of the skill’s name. It follows from the files and the
 * version’s name alone, so its digest is the same at every pull. `oras` unpacks the layer, other programs copy it.
 */
export function manifestOfVersion({ name, description, digest, versionName }: Described, layer: Layer): Manifest {
  return write({
    artifactType: SKILL_TYPE,
    layer: {
      ...{ mediaType: CONTENT_TYPE, digest: `sha256:${layer.sha256}`, size: layer.size },
      annotations: { "org.opencontainers.image.title": name, "io.deis.oras.content.unpack": "true" },
    },
    annotations: {
      "io.agentskills.skill.name": name,
      "org.opencontainers.image.title": name,
      "org.opencontainers.image.description": description,
      "org.opencontainers.image.version": versionName,
      "skillgate.version.digest": `sha256:${digest}`,
    },
  });
}

/** A statement about a version. `bytes` have to be the same each time while the statement stands. */
export type Attestation = {
  /** Type of the artifact, by which clients filter. */
  artifactType: string;
  /** Media type of the bytes; the artifact’s type by default. */
  mediaType?: string;
  /** Name of the file that `oras pull` writes. */
  title: string;
  bytes: Uint8Array<ArrayBuffer>;
};

/** The manifest of an attestation, which refers to that of its version. */
export function manifestOfAttestation(
  { artifactType, mediaType = artifactType, title, bytes }: Attestation,
  { mediaType: type, digest, size }: Descriptor,
): Manifest {
  return write({
    artifactType,
    layer: {
      ...{ mediaType, digest: digestOf(bytes), size: bytes.length },
      annotations: { "org.opencontainers.image.title": title },
    },
    subject: { mediaType: type, digest, size },
    annotations: { "org.opencontainers.image.title": title },
  });
}

/** The list of manifests that refer to another one. */
export function indexOf(manifests: readonly Manifest[]): string {
  return JSON.stringify({
    schemaVersion: 2,
    mediaType: INDEX_TYPE,
    manifests: manifests.map(({ mediaType, digest, size, artifactType, annotations }) => ({
      ...{ mediaType, digest, size, artifactType, annotations },
    })),
  });
}

type Parts = {
  artifactType: string;
  layer: Descriptor & { annotations: Record<string, string> };
  subject?: Descriptor;
  annotations: Record<string, string>;
};

function write({ artifactType, layer, subject, annotations }: Parts): Manifest {
  const document = {
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    artifactType,
    config: EMPTY,
    layers: [layer],
    ...(subject === undefined ? {} : { subject }),
    annotations,
  };
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  return { mediaType: MANIFEST_TYPE, digest: digestOf(bytes), size: bytes.length, bytes, artifactType, annotations };
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${sha256Hex(bytes)}`;
}

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
