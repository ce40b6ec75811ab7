import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { answerEndpoint, type EndpointAnswer } from "./answer-endpoint";
import { getArchive, getPackagedFile } from "./build-archive";
import { countInstall } from "./count-install";
import { findOffered } from "./find-version";
import { identifyViewer, type Viewer } from "./identify-viewer";
import { resolveScope } from "./list-published";
import type { Published } from "./published";
import { parseScope } from "./scope";

const ARTIFACT = /^([0-9a-f]{64})(\.zip|\.tar\.gz|\/SKILL\.md)$/;

/**
 * Serves a version by name and digest: `<digest>.zip`, `<digest>.tar.gz` or `<digest>/SKILL.md`. Checks availability at
 * each request: `gone` once it is revoked, disabled or deleted.
 */
export async function serveArtifact(
  ctx: Ctx,
  { request, scope, name, artifact }: { request: Request; scope: string; name: string; artifact: string },
): Promise<Response> {
  const viewer = await identifyViewer(ctx, parseScope(scope));
  const [, digest, what] = ARTIFACT.exec(artifact) ?? [];
  if (digest === undefined) throw new AppError("not_found", "There is no such archive.");
  return answerEndpoint(request, viewer, async () => {
    const published = await findPublished(viewer, digest, name);
    const answer = await readArtifact(viewer.ctx, published, what);
    await countInstall(viewer, published, "well-known", request);
    return { ...answer, kind: "artifact" };
  });
}

async function readArtifact(ctx: Ctx, published: Published, what = ""): Promise<Omit<EndpointAnswer, "kind">> {
  if (what === "/SKILL.md") {
    return { body: await getPackagedFile(ctx, published, "SKILL.md"), contentType: "text/markdown; charset=utf-8" };
  }
  const format = what === ".zip" ? "zip" : "tar.gz";
  const { bytes, sha256 } = await getArchive(ctx, published, format);
  const contentType = format === "zip" ? "application/zip" : "application/gzip";
  return { body: bytes, contentType, etag: sha256, filename: `${published.name}.${format}` };
}

/** Finds a version by digest within the viewer's scope; errors as of `findOffered`. */
async function findPublished({ ctx, scope }: Viewer, digest: string, name: string): Promise<Published> {
  const resolved = await resolveScope(ctx, scope);
  const within = "only" in resolved ? { id: resolved.only.skill.id } : resolved.where;
  return findOffered(ctx, { version: { digest }, skills: { AND: [within, { slug: name }] } });
}
