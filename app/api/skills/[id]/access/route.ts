import { z } from "zod";
import { route } from "@/lib/http/route";
import { getSkillAccess } from "@/lib/skills/access/get-skill-access";
import { SkillAccess } from "@/lib/skills/access/schema";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "Who and which agents see a skill, and why not",
  params: z.object({ id: z.string() }),
  answer: SkillAccess,
  handle: ({ ctx, params }) => getSkillAccess(ctx, params.id),
});
