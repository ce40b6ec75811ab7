import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { answerDoor, type DoorAnswer } from "../answer-door";
import { archiveOf, filesOf } from "../archive-of";
import { countInstall } from "../count-install";
import { findPublished } from "../find-published";
import type { ArchiveFormat } from "../kept-archives";
import type { Published } from "../published";
import { parseDoorAddress } from "../scope";
import { viewerOf } from "../viewer-of";

const ARTIFACT = /^([0-9a-f]{64})(\.zip|\.tar\.gz|\/SKILL\.md)$/;

/**
 * A version by name and digest: `<digest>.zip`, `<digest>.tar.gz` or `<digest>/SKILL.md`. Whether it may be had is looked up
 * at each request, however long others keep what they got: `gone` once it is revoked, switched off or deleted.
 */
export async function serveArtifact(
  ctx: Ctx,
  { request, scope, name, artifact }: { request: Request; scope: string; name: string; artifact: string },
): Promise<Response> {
  const viewer = await viewerOf(ctx, parseDoorAddress(scope));
  const [, digest, what] = ARTIFACT.exec(artifact) ?? [];
  if (digest === undefined) throw new AppError("not_found", "There is no such archive.");
  return answerDoor(request, viewer, async () => {
    const published = await findPublished(viewer.ctx, { digest, name, scope: viewer.scope });
    const answer =
      what === "/SKILL.md"
        ? await marker(viewer.ctx, published)
        : await archive(viewer.ctx, published, what === ".zip" ? "zip" : "tar.gz");
    await countInstall(viewer, published, "well-known", request);
    return { ...answer, kind: "artifact" };
  });
}

type Part = Omit<DoorAnswer, "kind">;

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
