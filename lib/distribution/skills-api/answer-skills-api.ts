import type { Ctx } from "@/lib/db/context";
import { answerIndex } from "../answer-endpoint";
import { identifyRootViewer, type Viewer } from "../identify-viewer";

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
