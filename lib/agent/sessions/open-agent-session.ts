import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";

const MAX_CLIENT_CHARS = 200;

const TIMES = { startedAt: "date", lastSeenAt: "date", endedAt: "date" } as const;
const SESSION = query<AgentSession>(`SELECT * FROM "AgentSession" WHERE "id" = ?`, TIMES);
const IMPLICIT = query<AgentSession>(`SELECT * FROM "AgentSession" WHERE "implicitKey" = ?`, TIMES);

type NewSession = {
  client?: string | undefined;
  capabilities?: readonly string[] | undefined;
  surface?: "http" | "mcp" | "playground" | "evaluation";
};

/** `client`: by default the user agent. `capabilities`: of the agent’s own host. Needs the scope `read`. */
export async function openAgentSession(
  ctx: Ctx,
  { client, capabilities, surface = "http" }: NewSession = {},
): Promise<AgentSession> {
  requireScope(ctx.actor, "read");
  return inTransaction(ctx, (tx, txCtx) =>
    createSession(tx, txCtx, {
      ...newRow(ctx, client),
      surface,
      capabilities: capabilities === undefined ? null : JSON.stringify(capabilities),
    }),
  );
}

/**
 * The session of a request without a session id: one per token (or person), address, day and protocol, opened on first use.
 */
export async function implicitAgentSession(
  ctx: Ctx,
  { client, surface = "http" }: Pick<NewSession, "client" | "surface"> = {},
): Promise<AgentSession> {
  const actor = requireScope(ctx.actor, "read");
  const who = actor.kind === "token" ? actor.tokenId : `${actor.userId} ${actor.sessionId}`;
  const day = ctx.now().toISOString().slice(0, 10);
  const implicitKey = sha256Hex(
    JSON.stringify([who, ctx.request.address, day, ...(surface === "http" ? [] : [surface])]),
  );
  const known = await sqlOf(ctx).get(IMPLICIT, implicitKey);
  if (known !== undefined) return known;
  return inTransaction(ctx, async (tx, txCtx) => {
    const raced = await tx.agentSession.findUnique({ where: { implicitKey } });
    return raced ?? createSession(tx, txCtx, { ...newRow(ctx, client), surface, implicitKey });
  });
}

/** An open session of the caller: of the same token, or of the same person without a token. Else `not_found`. */
export async function requireAgentSession(ctx: Ctx, id: string): Promise<AgentSession> {
  const actor = requireScope(ctx.actor, "read");
  const row = await sqlOf(ctx).get(SESSION, id);
  const tokenId = actor.kind === "token" ? actor.tokenId : null;
  if (row === undefined || row.userId !== actor.userId || row.tokenId !== tokenId || row.endedAt !== null) {
    throw new AppError("not_found", `You have no open agent session ${id.slice(0, 64)}. Open another one.`);
  }
  return row;
}

/** A context whose steps and events belong to a session. */
export function inSession(ctx: Ctx, { id, surface }: AgentSession): Ctx {
  return { ...ctx, request: { ...ctx.request, agentSessionId: id, agentSurface: surface } };
}

/** Ends a session: later calls under it are refused, and its tool limit ends. */
export async function endAgentSession(ctx: Ctx, id: string): Promise<void> {
  const row = await requireAgentSession(ctx, id);
  await inTransaction(ctx, async (tx, txCtx) => {
    await tx.agentSession.update({ where: { id: row.id }, data: { endedAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "agent-session.end",
      summary: "ended an agent’s session",
      ...eventTargetOf(row),
    });
  });
}

async function createSession(
  tx: Tx,
  ctx: Ctx,
  data: Parameters<Tx["agentSession"]["create"]>[0]["data"],
): Promise<AgentSession> {
  const row = await tx.agentSession.create({ data });
  const summary = `opened an agent’s session with ${row.client}`;
  await recordEvent(tx, ctx, {
    action: "agent-session.open",
    summary,
    ...eventTargetOf(row),
    data: { surface: row.surface, persona: row.personaId },
  });
  return row;
}

function eventTargetOf({ id, client }: AgentSession) {
  return { sessionId: id, target: { kind: "agent-session", id, name: client } };
}

function newRow(ctx: Ctx, client?: string) {
  const actor = requireScope(ctx.actor, "read");
  const isToken = actor.kind === "token";
  return {
    id: newId(),
    tokenId: isToken ? actor.tokenId : null,
    userId: actor.userId,
    personaId: isToken ? actor.personaId : null,
    client: (client || ctx.request.userAgent || "unknown client").slice(0, MAX_CLIENT_CHARS),
    startedAt: ctx.now(),
    lastSeenAt: ctx.now(),
  };
}
