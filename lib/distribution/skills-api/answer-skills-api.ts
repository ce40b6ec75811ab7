import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { answerEndpoint, answerIndex } from "../answer-endpoint";
import { getArchive } from "../build-archive";
import { recordActivity } from "../client-activity";
import { countInstall } from "../count-install";
import { findOffered } from "../find-version";
import { identifyRootViewer, type Viewer } from "../identify-viewer";
import { listApproved } from "../list-published";
import type { Published } from "../published";
import { comparePositions, findActive, type Position, presentVersion, takePage } from "./list-skills";
import type { SkillsApiPage, SkillsApiPageQuery, SkillsApiVersion } from "./schema";

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

/**
 * `GET /v1/skills/{id}/versions`: approved versions, newest first. Throws `not_found` without one that the viewer is
 * offered.
 */
export async function listVersions(
  ctx: Ctx,
  id: string,
  query: SkillsApiPageQuery,
): Promise<SkillsApiPage<SkillsApiVersion>> {
  const versions = await listApproved(ctx, { kind: "bound", to: "skill", id });
  if (versions.length === 0) throw new AppError("not_found", "There is no such skill that you are offered.");
  const sorted = versions.sort((a, b) => comparePositions(positionOf(a), positionOf(b)));
  return takePage(sorted, query, { positionOf, present: presentVersion });
}

function positionOf({ version }: Published): Position {
  return [version.number, version.digest];
}

/**
 * `GET /v1/skills/{id}/versions/{version}`; errors as of `findSkillVersion`. `latest` is the active version here, and
 * not where files are sent: so a client has named the bytes that it then asks for.
 */
export async function getVersion(ctx: Ctx, id: string, version: string): Promise<SkillsApiVersion> {
  return presentVersion(version === "latest" ? await findActive(ctx, id) : await findSkillVersion(ctx, id, version));
}

const DIGEST = /^(?:sha256:)?([0-9a-f]{64})$/;
const NUMBER = /^[1-9]\d{0,8}$/;

/** The version with this digest or number; errors as of `findOffered`. */
export async function findSkillVersion(ctx: Ctx, id: string, text: string): Promise<Published> {
  const digest = DIGEST.exec(text)?.[1];
  if (digest === undefined && !NUMBER.test(text)) {
    throw new AppError("not_found", "There is no such version. Name it by the id or number that its list has.");
  }
  const version = digest === undefined ? { number: Number(text) } : { digest };
  return findOffered(ctx, { version, skills: { id } });
}
