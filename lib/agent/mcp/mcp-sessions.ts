import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { LoggingLevel } from "@modelcontextprotocol/sdk/types.js";
import { isPerson, type PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { requirePerson } from "@/lib/policy/require-scope";
import type { SessionEvents } from "./session-events";

const MAX_PER_OWNER = 100;
const MAX_SESSIONS = 1000;

/** What a client may have read: hashes of its lists, and the digest of each resource it watches (null: not offered). */
export type Watched = {
  /** Its person can be asked to confirm a run. */
  canConfirm: boolean;
  listHashes: { tools: string; resources: string; prompts: string };
  resources: Map<string, string | null>;
};

/** A client’s session. Its protocol state is in this process; its trace and tool limit, by the same id, are in the database. */
export type McpSession = Watched & {
  id: string;
  /** The token or browser session that opened it; requests by others are not found. */
  ownerKey: string;
  actor: PersonActor;
  database: Ctx["database"];
  server: Server;
  transport: WebStandardStreamableHTTPServerTransport;
  events: SessionEvents;
  level: LoggingLevel;
  /** Number of calls in progress; such a session is not evicted. */
  calls: number;
  isListening: boolean;
  /** Ends with the connection that the client listens on. */
  listensOn: AbortSignal | null;
  /** The client has just started to listen and may have missed a change. */
  needsCheck: boolean;
  lastUsedAt: number;
  /** `detached`: runs in progress continue; `ended`: they are cancelled. */
  state: "open" | "detached" | "ended";
};

export function allSessions(): Map<string, McpSession> {
  return processStore("mcp-sessions", () => new Map<string, McpSession>());
}

export function ownerKeyOf(ctx: Ctx): string {
  const actor = requirePerson(ctx.actor);
  return actor.kind === "token" ? `token:${actor.tokenId}` : `browser:${actor.sessionId}`;
}

/** The caller's open session with this id; null for others. */
export function findSession(ctx: Ctx, id: string | null): McpSession | null {
  const found = allSessions().get(id ?? "");
  return found?.state === "open" && isPerson(ctx.actor) && found.ownerKey === ownerKeyOf(ctx) ? found : null;
}

/** Ends the longest idle session at a limit (100 per owner, 1,000 in all); `rate_limited` when none is idle. */
export async function evictIdleSession(ctx: Ctx): Promise<void> {
  const owner = ownerKeyOf(ctx);
  const all = [...allSessions().values()];
  const own = all.filter((session) => session.ownerKey === owner);
  const full = own.length >= MAX_PER_OWNER ? own : all.length >= MAX_SESSIONS ? all : [];
  if (full.length === 0) return;
  const idle = full
    .filter(({ calls, isListening }) => calls === 0 && !isListening)
    .sort((a, b) => a.lastUsedAt - b.lastUsedAt)[0];
  if (idle === undefined) {
    throw new AppError("rate_limited", `${full.length} MCP sessions are open. End one first.`, {
      retryAfterSeconds: 60,
    });
  }
  await closeSession(idle, "ended");
}

/** Removes a session from this process and closes its streams; its client gets 404 and starts another one. */
export async function closeSession(session: McpSession, state: "detached" | "ended"): Promise<void> {
  allSessions().delete(session.id);
  if (session.state !== "open") return;
  session.state = state;
  await session.transport.close();
}

/** Closes all sessions when the process ends; runs in progress continue, for get_run. */
export async function detachSessions(): Promise<void> {
  await Promise.all([...allSessions().values()].map((session) => closeSession(session, "detached")));
}
