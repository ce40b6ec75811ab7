import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { Conversation as ConversationRow, ConversationTurn } from "@/lib/db/generated/client";
import { ChosenSkill, type Conversation, EndReason, PlaygroundEvent, PlaygroundLimits, Turn } from "./schema";

export function chosenOf(row: ConversationRow): ChosenSkill[] {
  return parseJsonColumn(z.array(ChosenSkill), row.skills);
}

export async function presentConversations(ctx: Ctx, rows: ConversationRow[]): Promise<Conversation[]> {
  const skillIds = rows.flatMap((row) => chosenOf(row).map(({ skillId }) => skillId));
  const skills = await ctx.db.skill.findMany({
    where: { id: { in: [...new Set(skillIds)] } },
    select: { id: true, name: true, enabled: true, current: { select: { digest: true } } },
  });
  const byId = new Map(skills.map((skill) => [skill.id, skill]));
  const personas = await ctx.db.persona.findMany({ where: { id: { in: rows.map(({ personaId }) => personaId) } } });
  const personaNames = new Map(personas.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    endpoint: { id: row.endpointId, name: row.endpointName },
    model: row.model,
    persona: { id: row.personaId, name: personaNames.get(row.personaId) ?? null },
    sessionId: row.sessionId,
    skills: chosenOf(row).map((chosen) => {
      const skill = byId.get(chosen.skillId);
      const serving = skill?.enabled ? skill.current?.digest : undefined;
      const isPending = chosen.versionDigest !== null && chosen.versionDigest !== serving;
      return { ...chosen, name: skill?.name ?? null, isPending };
    }),
    limits: parseJsonColumn(PlaygroundLimits, row.limits),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }));
}

/** After its seconds an answer takes this long at most to end; what takes longer was cut off with its process. */
const ENDING_MS = 60_000;

export function presentTurn(row: ConversationTurn, { limits, now }: { limits: PlaygroundLimits; now: Date }): Turn {
  const isCutOff = row.state === "running" && now.getTime() - row.at.getTime() > limits.seconds * 1000 + ENDING_MS;
  return {
    id: row.id,
    prompt: row.prompt,
    answer: row.answer,
    events: parseJsonColumn(z.array(PlaygroundEvent), row.events),
    state: isCutOff ? "failed" : Turn.shape.state.parse(row.state),
    endReason: row.endReason === null ? null : EndReason.parse(row.endReason),
    tokens: row.tokens,
    at: row.at.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
