import { z } from "zod";
import { route } from "@/lib/http/route";
import { adoptSkill, unadoptSkill } from "@/lib/skills/community/adoption";
import { Skill } from "@/lib/skills/schema";

const params = z.object({ id: z.string() });

export const POST = route({
  access: "write",
  summary: "Adopt a shared skill as personal; it follows the active version",
  params,
  answer: Skill,
  handle: ({ ctx, params }) => adoptSkill(ctx, params.id),
});

export const DELETE = route({
  access: "write",
  summary: "End the adoption of a shared skill",
  params,
  status: 204,
  handle: ({ ctx, params }) => unadoptSkill(ctx, params.id),
});
