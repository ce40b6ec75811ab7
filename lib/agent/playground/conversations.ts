import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import { IsoTime, type Page, type PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Conversation as ConversationRow, ConversationTurn } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { ChosenSkill, Conversation, type ConversationDetail, type PlaygroundLimits, Turn } from "./schema";

/** The caller's own conversation, else `not_found`. Admins see only its trace. */
export async function requireConversation(ctx: Ctx, id: string): Promise<ConversationRow> {
  const actor = requireScope(ctx.actor, "run");
  const row = await ctx.db.conversation.findUnique({ where: { id } });
  if (!row || row.userId !== actor.userId) throw new AppError("not_found", `You have no conversation “${id}”.`);
  return row;
}

export async function getConversation(ctx: Ctx, id: string): Promise<ConversationDetail> {
  const row = await requireConversation(ctx, id);
  const [conversation] = await presentConversations(ctx, [row]);
  if (!conversation) throw new Error("a conversation was read and not presented");
  const turns = await ctx.db.conversationTurn.findMany({ where: { conversationId: id }, orderBy: { seq: "asc" } });
  return {
    ...conversation,
    turns: turns.map((turn) => presentTurn(turn, { limits: conversation.limits, now: ctx.now() })),
  };
}

const Position = z.tuple([IsoTime, z.string()]);

export async function listConversations(ctx: Ctx, { limit, cursor }: PageQuery): Promise<Page<Conversation>> {
  const { userId } = requireScope(ctx.actor, "run");
  const after = cursor === undefined ? null : decodeCursor(Position, cursor);
  const before =
    after === null
      ? {}
      : { OR: [{ updatedAt: { lt: new Date(after[0]) } }, { updatedAt: new Date(after[0]), id: { lt: after[1] } }] };
  const rows = await ctx.db.conversation.findMany({
    where: { userId, ...before },
    orderBy: [{ updatedAt: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const page = toPage(rows, limit, (row) => [row.updatedAt.toISOString(), row.id]);
  return { items: await presentConversations(ctx, page.items), nextCursor: page.nextCursor };
}

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
  return rows.map((row) =>
    Conversation.parse({
      ...row,
      endpoint: { id: row.endpointId, name: row.endpointName },
      persona: { id: row.personaId, name: personaNames.get(row.personaId) ?? null },
      skills: chosenOf(row).map((chosen) => {
        const skill = byId.get(chosen.skillId);
        const serving = skill?.enabled ? skill.current?.digest : undefined;
        const isPending = chosen.versionDigest !== null && chosen.versionDigest !== serving;
        return { ...chosen, name: skill?.name ?? null, isPending };
      }),
      limits: JSON.parse(row.limits),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    }),
  );
}

/** An answer ends at most this long after its time limit; an older one was interrupted with its process. */
const ENDING_MS = 60_000;

export function presentTurn(row: ConversationTurn, { limits, now }: { limits: PlaygroundLimits; now: Date }): Turn {
  const isCutOff = row.state === "running" && now.getTime() - row.at.getTime() > limits.seconds * 1000 + ENDING_MS;
  return Turn.parse({
    ...row,
    events: JSON.parse(row.events),
    state: isCutOff ? "failed" : row.state,
    at: row.at.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  });
}
