import { z } from "zod";
import { optimizeSkill } from "@/lib/agent/overlays/optimize-skill";
import { OptimizeInput, SkillOverlay } from "@/lib/agent/overlays/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "write",
  summary: "Propose an overlay for a skill from its traces; a reviewer decides",
  params: z.object({ id: z.string() }),
  body: OptimizeInput,
  answer: SkillOverlay,
  status: 201,
  handle: ({ ctx, params, body }) => optimizeSkill(ctx, params.id, body),
});
