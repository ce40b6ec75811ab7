import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { isText } from "@/lib/skill-format/archive/decode-text";
import { answerDoor, type DoorAnswer } from "../answer-endpoint";
import { filesOf } from "../archive-of";
import { countInstall } from "../count-install";
import { listPublished } from "../list-published";
import { parseDoorAddress } from "../scope";
import { type DoorViewer, viewerOf } from "../viewer-of";

/** One file of a skill beside the older index. `path` is decoded; one that leads out of the skill names no file of it. */
export async function serveFile(
  ctx: Ctx,
  { request, scope, name, path }: { request: Request; scope: string; name: string; path: string },
): Promise<Response> {
  const viewer = await viewerOf(ctx, parseDoorAddress(scope));
  return answerDoor(request, viewer, () => readFile(viewer, { request, name, path }));
}

type Asked = { request: Request; name: string; path: string };

async function readFile(viewer: DoorViewer, { request, name, path }: Asked): Promise<DoorAnswer> {
  const [published] = await listPublished(viewer.ctx, viewer.scope, { name });
  const listed = published?.files.find((file) => file.path === path);
  if (published === undefined || listed === undefined) {
    throw new AppError("not_found", `There is no such file in an index at this address.`);
  }
  const file = (await filesOf(viewer.ctx, published)).find((one) => one.path === path);
  if (file === undefined) throw new Error("a package lists a file that it does not hold");
  // Clients fetch the files one by one; the marker is always among them.
  if (path === "SKILL.md") await countInstall(viewer, published, "well-known", request);
  const contentType = fileType(path, file.bytes);
  return { body: new Uint8Array(file.bytes), contentType, kind: "index", etag: listed.sha256 };
}

/** How a file of a skill is sent: nothing that a browser would run or draw. */
function fileType(path: string, bytes: Uint8Array): string {
  if (!isText(bytes)) return "application/octet-stream";
  return /\.md$/i.test(path) ? "text/markdown; charset=utf-8" : "text/plain; charset=utf-8";
}
