import type { Ctx } from "@/lib/db/context";
import { answerDoor } from "../answer-door";
import { sighted } from "../sighted";
import { type DoorViewer, viewerOfRoot } from "../viewer-of";

/** Answers a read of ClawHub’s API with what `read` finds for the viewer. */
export async function answerClaw(
  { ctx, request }: { ctx: Ctx; request: Request },
  read: (viewer: DoorViewer) => Promise<unknown>,
): Promise<Response> {
  const viewer = await viewerOfRoot(ctx);
  return answerDoor(request, viewer, async () => {
    const body = JSON.stringify(await read(viewer));
    await sighted(viewer.ctx, "clawhub", request);
    return { body, contentType: "application/json", kind: "index" };
  });
}
