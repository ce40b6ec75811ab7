import type { Ctx } from "@/lib/db/context";
import { answerEndpoint, answerIndex } from "../answer-endpoint";
import { getArchive } from "../build-archive";
import { recordActivity } from "../client-activity";
import { countInstall } from "../count-install";
import { identifyRootViewer, type Viewer } from "../identify-viewer";
import { findSkillVersion } from "./list-versions";

export type Asked = { ctx: Ctx; request: Request };

/** Answers a read of the Skills API with the JSON of `read`. */
export async function answerSkillsApi<T>({ ctx, request }: Asked, read: (viewer: Viewer) => Promise<T>) {
  const viewer = await identifyRootViewer(ctx);
  const response = await answerIndex(request, viewer, "skills-api", async () => ({
    body: JSON.stringify(await read(viewer)),
  }));
  return withRequestId(ctx, response);
}

/** Clients of that API read the request's id from this header. */
export function withRequestId(ctx: Ctx, response: Response): Response {
  response.headers.set("request-id", ctx.request.requestId ?? "");
  response.headers.append("vary", "X-Api-Key");
  return response;
}

/**
 * `GET /v1/skills/{id}/versions/{version}/content`: sends the version as a ZIP with its files in a folder named for the
 * skill, and counts an install. Errors as of `findSkillVersion`, and `gone` when the stored version is not as approved.
 */
export async function sendContent(
  { ctx, request }: Asked,
  { id, version }: { id: string; version: string },
): Promise<Response> {
  const viewer = await identifyRootViewer(ctx);
  const response = await answerEndpoint(request, viewer, async () => {
    const published = await findSkillVersion(viewer.ctx, id, version);
    const { bytes, sha256 } = await getArchive(viewer.ctx, published, "folder.zip");
    await recordActivity(viewer.ctx, "skills-api", request);
    await countInstall(viewer, published, "skills-api", request);
    const answer = { body: bytes, contentType: "application/zip", kind: "index", etag: sha256 } as const;
    return { ...answer, filename: `${published.name}.zip` };
  });
  return withRequestId(ctx, response);
}
