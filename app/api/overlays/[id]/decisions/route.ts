import { z } from "zod";
import { decideOverlay } from "@/lib/agent/overlays/decide-overlay";
import { getOverlay } from "@/lib/agent/overlays/read-overlays";
import { DecideOverlayInput, SkillOverlay } from "@/lib/agent/overlays/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "write",
  summary: "Approve, reject or withdraw an overlay",
  params: z.object({ id: z.string() }),
  body: DecideOverlayInput,
  answer: SkillOverlay,
  ifMatch: ({ ctx, params }) => getOverlay(ctx, params.id),
  handle: ({ ctx, params, body }) => decideOverlay(ctx, params.id, body),
});
