import { z } from "zod";
import { route } from "@/lib/http/route";
import { getInstructions } from "@/lib/skills/versions/get-instructions";
import { SkillInstructions } from "@/lib/skills/versions/schema";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "The approved playbook as agents read it",
  params: z.object({ id: z.string() }),
  answer: SkillInstructions,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getInstructions(ctx, params.id),
});
