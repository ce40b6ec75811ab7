import { z } from "zod";
import { getOverlay } from "@/lib/agent/overlays/read-overlays";
import { SkillOverlay } from "@/lib/agent/overlays/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "One overlay: before, after and what it rests on",
  params: z.object({ id: z.string() }),
  answer: SkillOverlay,
  handle: ({ ctx, params }) => getOverlay(ctx, params.id),
});
