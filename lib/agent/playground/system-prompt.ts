import { composePreamble, writeXmlSkill } from "@/lib/agent/preamble/build-preamble";
import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { capDescription } from "@/lib/skill-format/cap-description";
import { SkillManifest } from "@/lib/skill-format/schema";
import { addressOfStored } from "@/lib/skills/access/judge-stored-skill";
import { offeredSkills } from "../offers/offered-skills";
import type { OfferedSkill } from "../offers/schema";
import { PreambleQuery } from "../preamble/schema";
import { readPathOf } from "../read-path";
import type { TriedSkill } from "./assert-may-try";

const INTRODUCTION =
  "You help a person to try skills. Answer briefly. Before a task that one of these skills fits, load its playbook with use_skill.";

/** Lists the chosen skills, or all offered ones. `message`: the person's message, for skills listed by keyword. */
export async function systemPrompt(agent: Ctx, tried: TriedSkill[], message: string): Promise<string> {
  const query = PreambleQuery.parse({ format: "json", mode: "summary", message });
  const { preamble } = composePreamble(agent, { ...query, tools: false }, await offeredSkills(agent));
  const chosen = new Set(tried.map(({ skill }) => skill.id));
  const pendingIds = new Set(tried.flatMap(({ skill, pending }) => (pending ? [skill.id] : [])));
  const offered = preamble.skills.filter(({ id }) => (chosen.size === 0 || chosen.has(id)) && !pendingIds.has(id));
  const pending = tried.flatMap((item) => (item.pending ? [describePending(item.pending.manifest, item)] : []));
  const index = [...offered, ...pending].map((skill) => writeXmlSkill(skill, "summary"));
  return `${INTRODUCTION}\n\n<available_skills>\n${index.join("\n")}\n</available_skills>\n`;
}

function describePending(manifestText: string, { skill }: TriedSkill): OfferedSkill {
  const manifest = keepParsed(SkillManifest, manifestText);
  return {
    id: skill.id,
    name: skill.name,
    description: capDescription(manifest.description),
    whenToUse: manifest.whenToUse && capDescription(manifest.whenToUse),
    always: manifest.always,
    location: addressOfStored(skill).location,
    readPath: readPathOf(skill.slug, "SKILL.md"),
    overlay: null,
  } as OfferedSkill;
}
