import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { LoggingLevel } from "@modelcontextprotocol/sdk/types.js";
import { isPerson, type PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { requirePerson } from "@/lib/policy/require-scope";

const MOST_OF_ONE = 100;
const MOST_OF_ALL = 1000;

/** One client’s conversation. Its protocol lives in this process; its trace and its limit, under the same id, in the database. */
export type McpSession = {
  id: string;
  /** The token (or signed-in browser) that opened it; nobody else’s requests are heard. */
  ownerKey: string;
  actor: PersonActor;
  database: Ctx["database"];
  server: Server;
  transport: WebStandardStreamableHTTPServerTransport;
  /** The client shows its person forms (elicitation), so that a run can be confirmed. */
  canConfirm: boolean;
  /** Least level of log messages that the client wants. */
  level: LoggingLevel;
  /** Calls under way; a session that has some is not given up for another. */
  calls: number;
  /** The stream on which the client hears of changes. */
  isListening: boolean;
  /** It has begun to listen anew, and may have missed a change. */
  needsCheck: boolean;
  /** A hash of each list as the client knows it, or could. */
  listHashes: { tools: string; resources: string; prompts: string };
  lastUsedAt: number;
  /** `left`: calls under way are only no longer waited for; `ended`: they are cancelled. */
  state: "open" | "left" | "ended";
};

export function allSessions(): Map<string, McpSession> {
  return processStore("mcp-sessions", () => new Map<string, McpSession>());
}

/** Who holds a session: a token, or a browser’s session. */
export function ownerKeyOf(ctx: Ctx): string {
  const actor = requirePerson(ctx.actor);
  return actor.kind === "token" ? `token:${actor.tokenId}` : `browser:${actor.sessionId}`;
}

/** The open session of this id and this caller. */
export function findSession(ctx: Ctx, id: string | null): McpSession | null {
  const found = allSessions().get(id ?? "");
  return found?.state === "open" && isPerson(ctx.actor) && found.ownerKey === ownerKeyOf(ctx) ? found : null;
}

/**
 * Makes room for one more session of the caller: the one that rests longest is given up. `rate_limited` when none rests, at
 * 100 of one token or 1,000 in all.
 */
export async function evictIdleSession(ctx: Ctx): Promise<void> {
  const owner = ownerKeyOf(ctx);
  const all = [...allSessions().values()];
  const own = all.filter((session) => session.ownerKey === owner);
  const crowd = own.length >= MOST_OF_ONE ? own : all.length >= MOST_OF_ALL ? all : [];
  if (crowd.length === 0) return;
  const resting = crowd
    .filter(({ calls, isListening }) => calls === 0 && !isListening)
    .sort((a, b) => a.lastUsedAt - b.lastUsedAt)[0];
  if (resting === undefined) {
    throw new AppError("rate_limited", `${crowd.length} MCP sessions are open. End one first.`, {
      retryAfterSeconds: 60,
    });
  }
  await closeSession(resting, "ended");
}

/** Ends a session in this process: its streams close, and its client is told 404 so that it begins another. */
export async function closeSession(session: McpSession, state: "left" | "ended"): Promise<void> {
  allSessions().delete(session.id);
  if (session.state !== "open") return;
  session.state = state;
  await session.transport.close();
}

/** Leaves every session because the process ends; runs under way go on, and get_run finds them again. */
export async function detachSessions(): Promise<void> {
  await Promise.all([...allSessions().values()].map((session) => closeSession(session, "left")));
}
