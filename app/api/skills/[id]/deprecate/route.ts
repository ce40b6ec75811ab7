import { z } from "zod";
import { route } from "@/lib/http/route";
import { deprecateSkill, undeprecateSkill } from "@/lib/skills/community/deprecation";
import { DeprecateInput } from "@/lib/skills/community/schema";
import { getSkill } from "@/lib/skills/get-skill";
import { Skill } from "@/lib/skills/schema";

const params = z.object({ id: z.string() });

export const POST = route({
  access: "write",
  summary: "Deprecate a skill with a reason and a replacement",
  params,
  body: DeprecateInput,
  answer: Skill,
  ifMatch: ({ ctx, params }) => getSkill(ctx, params.id),
  handle: ({ ctx, params, body }) => deprecateSkill(ctx, params.id, body),
});

export const DELETE = route({
  access: "write",
  summary: "Remove the deprecation of a skill",
  params,
  answer: Skill,
  handle: ({ ctx, params }) => undeprecateSkill(ctx, params.id),
});
