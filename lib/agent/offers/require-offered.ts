import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { assertOffered } from "@/lib/skills/access/judge-stored-skill";
import { requireSkill } from "@/lib/skills/skill-access";
import { readPathOf } from "../read-path";
import { type HiddenSkill, type OfferedEntry, type OfferOptions, offeredSkills } from "./offered-skills";
import { OfferedSkill } from "./schema";

/**
 * The offered skill with this name, tool name or id. Otherwise throws: `forbidden` with the rule of a hidden skill,
 * `not_approved` for one that is switched off or has no approved version, `not_found` for an invisible one.
 */
export async function requireOffered(ctx: Ctx, idOrName: string, to: OfferOptions): Promise<OfferedEntry> {
  const { skills, hidden } = await offeredSkills(ctx, to);
  const wanted = idOrName.toLowerCase();
  const found =
    skills.find(({ name, id }) => name === idOrName || id === wanted) ??
    skills.find(({ slug, toolName }) => slug === wanted || toolName === idOrName);
  if (found !== undefined) return found;
  const skill = await requireSkill(ctx, idOrName);
  if (!skill.enabled || skill.current?.state !== "approved") {
    const why = skill.enabled ? "has no approved version" : "is switched off";
    throw new AppError("not_approved", `“${skill.name}” ${why}.`);
  }
  await assertOffered(ctx, skill, to.capabilities);
  const away = hidden.find(({ id }) => id === skill.id);
  if (away !== undefined) throw refusalOf(away);
  throw new AppError("forbidden", `“${skill.name}” is not offered to this agent.`, { rule: "hidden-unknown" });
}

export function refusalOf({ name, reason, why, rule }: HiddenSkill): AppError {
  const code = reason === "confirmation" ? "confirmation_required" : "forbidden";
  return new AppError(code, `“${name}” is not offered to this agent. ${why}`, { rule });
}

export function describeOffered(skill: OfferedEntry): OfferedSkill {
  const { manifest, slug, marker } = skill;
  return OfferedSkill.parse({
    ...manifest,
    ...skill,
    location: skill.address.location,
    readPath: readPathOf(slug, marker),
    uri: `skill://${slug}/${marker}`,
    runnable: skill.tool !== null,
    toolName: skill.tool,
    keywords: manifest.activation?.mode === "keyword" ? manifest.activation.keywords : null,
  });
}
