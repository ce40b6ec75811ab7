import type { Ctx } from "@/lib/db/context";
import { inQuickTransaction } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import type { ListSkillsInput } from "./built-in-tools";
import type { EnabledSkill } from "./offers/enabled-skills";
import { type OfferOptions, offeredSkills } from "./offers/offered-skills";
import { describeOffered } from "./offers/require-offered";
import type { ToolAnswer } from "./schema";
import { recordRead } from "./sessions/record-step";

/** Lists the skills that a model may load; with a query, those that contain every word. */
export async function listSkillsForAgent(
  ctx: Ctx,
  session: AgentSession,
  { query, mode }: ListSkillsInput,
  to: OfferOptions,
): Promise<ToolAnswer> {
  const { skills } = await offeredSkills(ctx, to);
  const words = (query ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const found = skills.filter((skill) => !skill.manifest.disableModelInvocation && containsWords(skill, words));
  await inQuickTransaction(ctx, async (tx, txCtx) => {
    await recordRead(tx, txCtx, session, {
      ...{ kind: words.length > 0 ? "searched" : "listed", tool: "list_skills", args: { query, mode } },
      detail: words.length > 0 ? `found ${found.length} skills for “${query}”` : `listed ${found.length} skills`,
    });
  });
  const lines = found.map(({ name, manifest }) => {
    if (mode === "names") return name;
    const when = manifest.whenToUse === null ? "" : ` When to use: ${oneLine(manifest.whenToUse)}`;
    return `${name}: ${oneLine(manifest.description)}${when}`;
  });
  const items = found.map(describeOffered);
  const structured = { skills: mode === "names" ? items.map(({ name }) => ({ name })) : items, total: found.length };
  return { content: lines.join("\n") || "No skill matches.", notes: [], structured, isError: false };
}

function containsWords({ name, slug, label, manifest }: EnabledSkill, words: string[]): boolean {
  const text = [name, slug, label ?? "", manifest.description, manifest.whenToUse ?? "", ...manifest.tags].join("\n");
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
