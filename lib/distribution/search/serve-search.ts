import type { Ctx } from "@/lib/db/context";
import { answerDoor } from "../answer-endpoint";
import { sighted } from "../client-activity";
import { viewerOfRoot } from "../viewer-of";
import { type SearchQuery, searchPublished } from "./search-published";

/** What `npx skills find` asks. */
export async function serveSearch(
  ctx: Ctx,
  { request, query }: { request: Request; query: SearchQuery },
): Promise<Response> {
  const viewer = await viewerOfRoot(ctx);
  return answerDoor(request, viewer, async () => {
    const body = JSON.stringify(await searchPublished(viewer.ctx, query));
    await sighted(viewer.ctx, "search", request);
    return { body, contentType: "application/json", kind: "index" };
  });
}
