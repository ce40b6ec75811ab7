import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { answerEndpoint, answerIndex, type EndpointAnswer } from "../answer-endpoint";
import { getArchive, getPackagedFile } from "../build-archive";
import { recordActivity } from "../client-activity";
import { countInstall } from "../count-install";
import { identifyRootViewer, type Viewer } from "../identify-viewer";
import { findPinned } from "./find-skill";
import type { Pin, SkillReference } from "./schema";

/** Answers a read of ClawHub's API with the JSON of `read`, and the status 200 or that of `statusOf`. */
export async function answerClaw<T>(
  { ctx, request }: { ctx: Ctx; request: Request },
  read: (viewer: Viewer) => Promise<T>,
  statusOf: (answer: T) => number = () => 200,
): Promise<Response> {
  const viewer = await identifyRootViewer(ctx);
  return answerIndex(request, viewer, "clawhub", async () => {
    const answer = await read(viewer);
    return { body: JSON.stringify(answer), status: statusOf(answer) };
  });
}

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_PREVIEW_BYTES = 200 * 1024;

type Asked = { ctx: Ctx; request: Request; query: SkillReference & Pin };
type AskedFile = Asked & { query: { path: string; preview?: string | undefined } };

/** `GET /api/v1/download`: sends the version as a ZIP with its files at the root, and counts an install. */
export async function sendArchive({ ctx, request, query }: Asked): Promise<Response> {
  const viewer = await identifyRootViewer(ctx);
  return answerEndpoint(request, viewer, async () => {
    const { published, name } = await findPinned(viewer.ctx, query, query);
    const { bytes, sha256 } = await getArchive(viewer.ctx, published, "zip");
    await recordActivity(viewer.ctx, "clawhub", request);
    await countInstall(viewer, published, "clawhub", request);
    // Not cached for good: the version may be revoked.
    const answer = { body: bytes, contentType: "application/zip", kind: "index", etag: sha256 } as const;
    return { ...answer, filename: `${published.name}-${name}.zip` };
  });
}

/**
 * `GET /api/v1/skills/{slug}/file`: sends one file of at most 10 MiB (`too_large`). A preview is at most 200 KiB of
 * text (`unsupported_type`).
 */
export async function sendFile({ ctx, request, query }: AskedFile): Promise<Response> {
  const viewer = await identifyRootViewer(ctx);
  return answerEndpoint(request, viewer, async () => {
    const answer = await readFile(viewer.ctx, query);
    await recordActivity(viewer.ctx, "clawhub", request);
    return answer;
  });
}

async function readFile(ctx: Ctx, query: AskedFile["query"]): Promise<EndpointAnswer> {
  const { published } = await findPinned(ctx, query, query);
  const listed = published.files.find(({ path }) => path === query.path);
  if (listed === undefined) throw new AppError("not_found", `File not found: ${query.path}`);
  const isPreview = query.preview === "1" || query.preview === "true";
  const limit = isPreview ? MAX_PREVIEW_BYTES : MAX_FILE_BYTES;
  if (listed.size > limit)
    throw new AppError("too_large", `${query.path} is larger than ${limit / 1024} KiB, the limit here.`);
  const body = await getPackagedFile(ctx, published, query.path);
  const isText = isUtf8(body);
  if (isPreview && !isText) throw new AppError("unsupported_type", `${query.path} is not text.`);
  const contentType = isText ? "text/plain; charset=utf-8" : "application/octet-stream";
  const filename = query.path.split("/").at(-1) ?? "file";
  return { body, contentType, kind: "index", etag: listed.sha256, filename };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return !bytes.includes(0);
  } catch {
    return false;
  }
}
