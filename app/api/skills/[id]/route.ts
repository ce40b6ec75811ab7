import { z } from "zod";
import { route } from "@/lib/http/route";
import { deleteSkill, updateSkill } from "@/lib/skills/edit-skills";
import { getSkill } from "@/lib/skills/get-skill";
import { PatchSkillInput, Skill } from "@/lib/skills/schema";

const params = z.object({ id: z.string() });

export const GET = route({
  access: "read",
  agents: "open",
  summary: "One skill, by id or name",
  params,
  answer: Skill,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getSkill(ctx, params.id),
});

export const PATCH = route({
  access: "write",
  summary: "Switch a skill on or off, or change it",
  params,
  body: PatchSkillInput,
  answer: Skill,
  ifMatch: ({ ctx, params }) => getSkill(ctx, params.id),
  handle: ({ ctx, params, body }) => updateSkill(ctx, params.id, body),
});

export const DELETE = route({
  access: "write",
  summary: "Delete a skill; its versions stay readable in the audit log",
  params,
  status: 204,
  handle: ({ ctx, params }) => deleteSkill(ctx, params.id),
});
