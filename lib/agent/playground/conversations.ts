import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { parseJsonColumn } from "@/lib/core/json";
import { IsoTime, type Page, type PageQuery } from "@/lib/core/schema";
import { type Ctx, inTransaction } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { type Conversation as ConversationRow, type ConversationTurn, Prisma } from "@/lib/db/generated/client";
import { listOf, readComposed } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";
import { requireModel } from "@/lib/settings/models/require-model";
import { readNames } from "../sessions/agent-sessions";
import { openAgentSession } from "../sessions/open-agent-session";
import { assertMayTry } from "./assert-may-try";
import { agentOfConversation, ensurePersona } from "./conversation-agent";
import {
  ChosenSkill,
  Conversation,
  type ConversationDetail,
  type CreateConversationInput,
  type PlaygroundLimits,
  Turn,
} from "./schema";

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
  const at = after && new Date(after[0]);
  const older = after
    ? Prisma.sql`AND ("updatedAt" < ${at} OR ("updatedAt" = ${at} AND "id" < ${after[1]}))`
    : Prisma.empty;
  const rows = await readComposed<ConversationRow>(
    ctx,
    Prisma.sql`SELECT * FROM "Conversation" WHERE "userId" = ${userId} ${older}
      ORDER BY "updatedAt" DESC, "id" DESC LIMIT ${limit + 1}`,
    { createdAt: "date", updatedAt: "date" },
  );
  const page = toPage(rows, limit, (row) => [row.updatedAt.toISOString(), row.id]);
  return { items: await presentConversations(ctx, page.items), nextCursor: page.nextCursor };
}

export function chosenOf(row: ConversationRow): ChosenSkill[] {
  return parseJsonColumn(z.array(ChosenSkill), row.skills);
}

export async function presentConversations(ctx: Ctx, rows: ConversationRow[]): Promise<Conversation[]> {
  const skillIds = rows.flatMap((row) => chosenOf(row).map(({ skillId }) => skillId));
  const skills = await readComposed<{ id: string; name: string; enabled: boolean; digest: string | null }>(
    ctx,
    Prisma.sql`SELECT s."id", s."name", s."enabled", v."digest" FROM "Skill" s
      LEFT JOIN "Version" v ON v."id" = s."currentId" WHERE s."id" IN ${listOf(ctx, skillIds)}`,
    { enabled: "flag" },
  );
  const byId = new Map(skills.map((skill) => [skill.id, skill]));
  const personaNames = await readNames(
    ctx,
    rows.map(({ personaId }) => personaId),
  );
  return rows.map((row) =>
    Conversation.parse({
      ...row,
      endpoint: { id: row.endpointId, name: row.endpointName },
      persona: { id: row.personaId, name: personaNames.get(row.personaId) ?? null },
      skills: chosenOf(row).map((chosen) => {
        const skill = byId.get(chosen.skillId);
        const serving = skill?.enabled ? skill.digest : undefined;
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

/** `conflict` (rule `no-model-endpoint`) without a model endpoint; errors of `assertMayTry` for the chosen skills. */
export async function createConversation(ctx: Ctx, input: CreateConversationInput): Promise<Conversation> {
  const actor = requireScope(ctx.actor, "run");
  const model = await requireModel(ctx, input);
  for (const chosen of input.skills) await assertMayTry(ctx, chosen);
  const row = await inTransaction(ctx, async (tx, txCtx) => {
    const persona = await ensurePersona(tx, txCtx, input.personaId);
    const who = { id: newId(), personaId: persona.id };
    const session = await openAgentSession(agentOfConversation(txCtx, who), {
      client: `playground (${model.model})`,
      surface: "playground",
    });
    const created = await tx.conversation.create({
      data: {
        ...who,
        userId: actor.userId,
        title: "New conversation",
        endpointId: model.endpointId,
        endpointName: model.endpointName,
        model: model.model,
        sessionId: session.id,
        skills: JSON.stringify(input.skills),
        limits: JSON.stringify(input.limits),
        createdAt: ctx.now(),
        updatedAt: ctx.now(),
      },
    });
    await recordEvent(tx, txCtx, {
      action: "playground.begin",
      summary: `started a conversation with ${model.model} about ${input.skills.length || "all offered"} skills`,
      target: { kind: "conversation", id: created.id, name: created.title },
      sessionId: session.id,
      data: { endpoint: model.endpointName, model: model.model, persona: persona.name, skills: input.skills },
    });
    return created;
  });
  const [conversation] = await presentConversations(ctx, [row]);
  if (!conversation) throw new Error("a conversation was made and not presented");
  return conversation;
}
