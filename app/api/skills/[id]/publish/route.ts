import { z } from "zod";
import { route } from "@/lib/http/route";
import { Skill } from "@/lib/skills/schema";
import { publishSkill } from "@/lib/skills/transfer/publish-skill";
import { PublishInput } from "@/lib/skills/transfer/schema";

export const POST = route({
  access: "write",
  summary: "Submit a personal skill for the organisation; answers the organisation’s skill",
  params: z.object({ id: z.string() }),
  body: PublishInput,
  answer: Skill,
  status: 201,
  handle: ({ ctx, params, body }) => publishSkill(ctx, params.id, body),
});
