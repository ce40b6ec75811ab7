import { z } from "zod";
import { optimizeSkill } from "@/lib/agent/overlays/optimize-skill";
import { OptimizeInput, SkillOverlay } from "@/lib/agent/overlays/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "write",
  summary: "Propose better words for a skill out of its traces; they wait for a reviewer",
  params: z.object({ id: z.string() }),
  body: OptimizeInput,
  answer: SkillOverlay,
  status: 201,
  handle: ({ ctx, params, body }) => optimizeSkill(ctx, params.id, body),
});
