import { z } from "zod";
import { listOverlays } from "@/lib/agent/overlays/read-overlays";
import { ListOverlaysQuery, SkillOverlay, SubmitOverlayInput } from "@/lib/agent/overlays/schema";
import { submitOverlay } from "@/lib/agent/overlays/submit-overlay";
import { pageOf } from "@/lib/core/schema";
import { route } from "@/lib/http/route";

const params = z.object({ id: z.string() });

export const GET = route({
  access: "read",
  summary: "Overlays of a skill: other words that were proposed for it, newest first",
  params,
  query: ListOverlaysQuery,
  answer: pageOf(SkillOverlay),
  handle: ({ ctx, params, query }) => listOverlays(ctx, query, params.id),
});

export const POST = route({
  access: "write",
  summary: "Hand in an optimized.toml that was made elsewhere; it waits for a reviewer",
  params,
  body: SubmitOverlayInput,
  answer: SkillOverlay,
  status: 201,
  handle: ({ ctx, params, body }) => submitOverlay(ctx, params.id, body),
});
