import { z } from "zod";
import { route } from "@/lib/http/route";
import { getSkillAccess } from "@/lib/skills/access/get-skill-access";
import { SkillAccess } from "@/lib/skills/access/schema";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "People and agents that see a skill, and the reasons of those that do not",
  params: z.object({ id: z.string() }),
  answer: SkillAccess,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getSkillAccess(ctx, params.id),
});
