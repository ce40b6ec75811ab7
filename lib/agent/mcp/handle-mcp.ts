import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { ErrorCode, InitializeRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { endAgentSession, openAgentSession, requireAgentSession } from "../sessions/open-agent-session";
import { buildServer } from "./build-server";
import { canElicit } from "./confirm-run";
import {
  allSessions,
  closeSession,
  detachSessions,
  evictIdleSession,
  findSession,
  type McpSession,
  ownerKeyOf,
} from "./mcp-sessions";
import { attachRequest } from "./request-context";
import { createConnection, createSessionEvents } from "./session-events";
import { answerStateless, leaveExchanges } from "./stateless/answer-stateless";
import { openStreams } from "./stateless/change-streams";
import { isStateless } from "./stateless/read-envelope";
import { failure } from "./stateless/write-answer";
import { watchOffers } from "./watch-offers";
import { hashLists } from "./watched-lists";

const SESSION_HEADER = "mcp-session-id";

/** Time after which a client of 2025-11-25 continues a broken stream. */
const RETRY_MS = 1_000;
/** The SDK's id of the stream of notifications, in ids of events. */
const NOTIFICATIONS = "_GET_stream";

const MalformedInitialize = z.object({ method: z.literal("initialize"), id: z.union([z.string(), z.number()]) });

type RawRequest = { request: Request; bytes: Uint8Array };

/**
 * Answers one request of the Model Context Protocol by streamable HTTP. Revision 2026-07-28 has no sessions: each of its
 * requests says its version and is answered alone. In the 2025 revisions, and the earlier ones that the SDK supports, a session
 * belongs to the token that opened it. An unknown session, also after a restart, is 404, so that clients start another one.
 */
export async function handleMcp(ctx: Ctx, { request, bytes }: RawRequest): Promise<Response> {
  const actor = requireScope(ctx.actor, "read");
  const parsed = request.method === "POST" ? parseBody(bytes) : { body: undefined };
  if (parsed === null) return failure(400, ErrorCode.ParseError, "The body is not valid JSON in UTF-8.");
  const { body } = parsed;
  if (isStateless(request, body)) return answerStateless(ctx, { request, body });
  const opening = InitializeRequestSchema.safeParse(body);
  if (opening.success) {
    const { clientInfo, capabilities } = opening.data.params;
    const canConfirm = canElicit(capabilities);
    await evictIdleSession(ctx);
    const { id } = await openAgentSession(ctx, { client: `${clientInfo.name} ${clientInfo.version}`, surface: "mcp" });
    return forwardRequest(ctx, await openSession(ctx, id, canConfirm), request, body);
  }
  const malformed = MalformedInitialize.safeParse(body);
  if (malformed.success) {
    const message =
      "initialize needs params.protocolVersion, params.capabilities and params.clientInfo with name and version.";
    return failure(400, ErrorCode.InvalidParams, message, { id: malformed.data.id });
  }
  const id = request.headers.get(SESSION_HEADER);
  if (id === null) return failure(400, -32000, "Send initialize first, then its Mcp-Session-Id with each request.");
  const session = findSession(ctx, id);
  if (session === null || !(await isOpen(ctx, session))) {
    return failure(404, -32001, "There is no such session. Initialize another one.");
  }
  session.actor = actor;
  session.lastUsedAt = performance.now();
  if (request.method === "DELETE") {
    await endAgentSession(ctx, session.id);
    await closeSession(session, "ended");
    return new Response(null, { status: 200 });
  }
  return forwardRequest(ctx, session, request, body);
}

async function openSession(ctx: Ctx, id: string, canConfirm: boolean): Promise<McpSession> {
  const events = createSessionEvents();
  const transport = new WebStandardStreamableHTTPServerTransport({
    ...{ sessionIdGenerator: () => id, eventStore: events, retryInterval: RETRY_MS },
  });
  const session: McpSession = {
    ...{ id, transport, events, canConfirm, calls: 0, isListening: false, listensOn: null },
    ...{ needsCheck: false, level: "info", state: "open" },
    ownerKey: ownerKeyOf(ctx),
    actor: requireScope(ctx.actor, "read"),
    database: ctx.database,
    server: buildServer(),
    listHashes: await hashLists(ctx, { canConfirm }),
    resources: new Map(),
    lastUsedAt: performance.now(),
  };
  await session.server.connect(transport);
  allSessions().set(id, session);
  watchOffers();
  return session;
}

async function forwardRequest(ctx: Ctx, session: McpSession, request: Request, body: unknown): Promise<Response> {
  const { signal } = request;
  const continues = request.method === "GET" ? request.headers.get("last-event-id") : null;
  if (continues !== null && !session.events.knows(continues)) {
    return failure(400, -32000, "The stream cannot be continued after this event. Send the request again.");
  }
  const connection = createConnection(signal);
  const authInfo = attachRequest({ ctx, session, connection });
  const response = await session.events.within({ connection, signal }, () =>
    session.transport.handleRequest(request, { parsedBody: body, authInfo }),
  );
  if (request.method === "GET" && response.ok && (continues === null || continues.startsWith(NOTIFICATIONS))) {
    Object.assign(session, { isListening: true, needsCheck: true, listensOn: signal });
    signal.addEventListener("abort", () => {
      if (session.listensOn === signal) session.isListening = false;
    });
  }
  return response;
}

/** Whether the session still exists: a person may have ended it on the Agents page. */
async function isOpen(ctx: Ctx, session: McpSession): Promise<boolean> {
  try {
    await requireAgentSession(ctx, session.id);
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    await closeSession(session, "ended");
    return false;
  }
}

function parseBody(bytes: Uint8Array): { body: unknown } | null {
  try {
    return { body: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return null;
  }
}

/** Ends all waiting of MCP clients when the process stops; runs in progress continue, for get_run. */
export async function detachClients(): Promise<void> {
  leaveExchanges();
  for (const stream of openStreams()) stream.end();
  await detachSessions();
}
