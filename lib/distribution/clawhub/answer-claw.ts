import type { Ctx } from "@/lib/db/context";
import { answerDoor } from "../answer-endpoint";
import { sighted } from "../client-activity";
import { type DoorViewer, viewerOfRoot } from "../viewer-of";

/** Answers a read of ClawHub’s API with what `read` finds for the viewer; with 200, or what `statusOf` says. */
export async function answerClaw<T>(
  { ctx, request }: { ctx: Ctx; request: Request },
  read: (viewer: DoorViewer) => Promise<T>,
  statusOf: (answer: T) => number = () => 200,
): Promise<Response> {
  const viewer = await viewerOfRoot(ctx);
  return answerDoor(request, viewer, async () => {
    const answer = await read(viewer);
    const body = JSON.stringify(answer);
    await sighted(viewer.ctx, "clawhub", request);
    return { body, contentType: "application/json", kind: "index", status: statusOf(answer) };
  });
}
