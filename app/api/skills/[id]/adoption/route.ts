import { z } from "zod";
import { route } from "@/lib/http/route";
import { adoptSkill, unadoptSkill } from "@/lib/skills/community/adoption";
import { Skill } from "@/lib/skills/schema";

const params = z.object({ id: z.string() });

export const POST = route({
  access: "write",
  summary: "Use a shared skill as if it were personal; it follows what is approved there",
  params,
  answer: Skill,
  handle: ({ ctx, params }) => adoptSkill(ctx, params.id),
});

export const DELETE = route({
  access: "write",
  summary: "No longer use a shared skill as if it were personal",
  params,
  status: 204,
  handle: ({ ctx, params }) => unadoptSkill(ctx, params.id),
});
