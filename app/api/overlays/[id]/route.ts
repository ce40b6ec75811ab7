import { z } from "zod";
import { getOverlay } from "@/lib/agent/overlays/read-overlays";
import { SkillOverlay } from "@/lib/agent/overlays/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "One overlay with its changes and the traces behind it",
  params: z.object({ id: z.string() }),
  answer: SkillOverlay,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getOverlay(ctx, params.id),
});
