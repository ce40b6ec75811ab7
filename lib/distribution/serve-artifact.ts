import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { answerEndpoint, type EndpointAnswer } from "./answer-endpoint";
import { archiveOf, filesOf } from "./archive-of";
import { countInstall } from "./count-install";
import { findVersion, pickOffered } from "./find-version";
import type { ArchiveFormat } from "./kept-archives";
import { knownTo } from "./offered-skills";
import { presentOne } from "./present-published";
import { type Published, type PublishedRow, publishedVersion } from "./published";
import { resolveScope } from "./resolve-scope";
import { type DistributionScope, parseScope } from "./scope";
import { viewerOf } from "./viewer-of";

const ARTIFACT = /^([0-9a-f]{64})(\.zip|\.tar\.gz|\/SKILL\.md)$/;

/**
 * A version by name and digest: `<digest>.zip`, `<digest>.tar.gz` or `<digest>/SKILL.md`. Whether it may be had is looked up
 * at each request, however long others keep what they got: `gone` once it is revoked, switched off or deleted.
 */
export async function serveArtifact(
  ctx: Ctx,
  { request, scope, name, artifact }: { request: Request; scope: string; name: string; artifact: string },
): Promise<Response> {
  const viewer = await viewerOf(ctx, parseScope(scope));
  const [, digest, what] = ARTIFACT.exec(artifact) ?? [];
  if (digest === undefined) throw new AppError("not_found", "There is no such archive.");
  return answerEndpoint(request, viewer, async () => {
    const published = await findPublished(viewer.ctx, { digest, name, scope: viewer.scope });
    const answer =
      what === "/SKILL.md"
        ? await marker(viewer.ctx, published)
        : await archive(viewer.ctx, published, what === ".zip" ? "zip" : "tar.gz");
    await countInstall(viewer, published, "well-known", request);
    return { ...answer, kind: "artifact" };
  });
}

type Part = Omit<EndpointAnswer, "kind">;

async function archive(ctx: Ctx, published: Published, format: ArchiveFormat): Promise<Part> {
  const { bytes, sha256 } = await archiveOf(ctx, published, format);
  const contentType = format === "zip" ? "application/zip" : "application/gzip";
  return { body: bytes, contentType, etag: sha256, filename: `${published.name}.${format}` };
}

async function marker(ctx: Ctx, published: Published): Promise<Part> {
  const file = (await filesOf(ctx, published)).find(({ path }) => path === "SKILL.md");
  if (file === undefined) throw new Error("a package has no SKILL.md");
  return { body: new Uint8Array(file.bytes), contentType: "text/markdown; charset=utf-8" };
}

/** A version by its digest, within a scope when one is given; of several skills with the same bytes `name` says which. */
type ByDigest = { digest: string; name?: string; scope?: DistributionScope };
/** A skill by its publisher; `version` is a digest, a number or what its manifest calls it, else the one that serves. */
type ByName = { publisher: string; name: string; version?: string | null };

/**
 * One version for the viewer of `ctx`, with availability looked up at this moment. `not_found` for what was never published
 * or is not the viewer’s to see; `gone` for what was and is revoked, switched off or deleted; `version_tampered` when its
 * stored bytes were changed.
 */
async function findPublished(ctx: Ctx, wanted: ByDigest | ByName): Promise<Published> {
  const row =
    "digest" in wanted
      ? await findByDigest(ctx, wanted)
      : await findVersion(ctx, { ...wanted, version: wanted.version ?? null });
  const published = await presentOne(ctx, row);
  if (published === undefined) throw new AppError("not_found", "This skill is not offered to other programs.");
  return published;
}

async function findByDigest(ctx: Ctx, { digest, name, scope }: ByDigest): Promise<PublishedRow> {
  const resolved = scope === undefined ? { where: {} } : await resolveScope(ctx, scope);
  const within = "only" in resolved ? { id: resolved.only.skill.id } : resolved.where;
  const rows = await ctx.db.version.findMany({
    where: {
      digest: digest.toLowerCase(),
      skill: { AND: [knownTo(ctx.actor), within, name === undefined ? {} : { slug: name }] },
    },
    select: { ...publishedVersion, skill: true },
    orderBy: { id: "asc" },
  });
  return pickOffered(
    ctx,
    rows.map(({ skill, ...version }) => ({ skill, version })),
  );
}
