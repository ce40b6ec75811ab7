import type { Ctx } from "@/lib/db/context";
import { sighted } from "../client-activity";
import { limitDoor } from "../limit-endpoint";
import { parseDoorAddress } from "../scope";
import { viewerOf } from "../viewer-of";
import { openCatalog } from "./open-catalog";
import type { GitParams } from "./schema";
import { answerGit, readGitRequest } from "./serve-git";

type Asked = { ctx: Ctx; params: GitParams; bytes: Uint8Array; request: Request };

/** Answers a request for the repository of a scope: read only, one commit, what the viewer is offered at this moment. */
export async function gitDoor({ ctx, params, bytes, request }: Asked): Promise<Response> {
  const viewer = await viewerOf(ctx, parseDoorAddress(params.scope));
  const limits = await limitDoor(viewer);
  const wanted = await readGitRequest(request, params.path, bytes);
  const { snapshot } = await openCatalog(viewer);
  const response = await answerGit(snapshot, wanted);
  for (const [name, value] of Object.entries(limits)) response.headers.set(name, value);
  await sighted(viewer.ctx, "git", request);
  return response;
}
