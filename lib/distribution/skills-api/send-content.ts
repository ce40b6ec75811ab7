import { answerEndpoint } from "../answer-endpoint";
import { getArchive } from "../build-archive";
import { recordActivity } from "../client-activity";
import { countInstall } from "../count-install";
import { identifyRootViewer } from "../identify-viewer";
import { type Asked, withRequestId } from "./answer-skills-api";
import { findSkillVersion } from "./list-versions";

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
