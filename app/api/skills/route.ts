import { route } from "@/lib/http/route";
import { createSkill } from "@/lib/skills/edit-skills";
import { listSkills } from "@/lib/skills/list-skills";
import { CreateSkillInput, ListSkillsQuery, Skill, SkillPage } from "@/lib/skills/schema";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "List skills you may see, by name",
  query: ListSkillsQuery,
  answer: SkillPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listSkills(ctx, query),
});

export const POST = route({
  access: "write",
  summary: "Create a skill; its first version is a draft",
  body: CreateSkillInput,
  maxBodyBytes: 70 * 1024 * 1024,
  answer: Skill,
  status: 201,
  handle: ({ ctx, body }) => createSkill(ctx, body),
});
