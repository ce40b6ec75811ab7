import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { ErrorCode, InitializeRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { endAgentSession, openAgentSession, requireAgentSession } from "../sessions/open-agent-session";
import { carry } from "./asked-request";
import { buildServer } from "./build-server";
import { allSessions, closeSession, findSession, keeperOf, type McpSession, makeRoom } from "./mcp-sessions";
import { watchOffers, whatIsSeen } from "./watch-offers";

const SESSION_HEADER = "mcp-session-id";

const WronglyOpened = z.object({ method: z.literal("initialize"), id: z.union([z.string(), z.number()]) });

type Given = { request: Request; bytes: Uint8Array };

/**
 * Answers one request of the Model Context Protocol by streamable HTTP (revision 2025-11-25, and those before it that the SDK
 * speaks). A session belongs to the token that opened it; one that is unknown here, by a restart too, is 404, upon which
 * clients begin another.
 */
export async function handleMcp(ctx: Ctx, { request, bytes }: Given): Promise<Response> {
  const actor = requireScope(ctx.actor, "read");
  const body = request.method === "POST" ? parseBody(bytes) : undefined;
  const opening = InitializeRequestSchema.safeParse(body);
  if (opening.success) {
    const { clientInfo, capabilities } = opening.data.params;
    const canConfirm = capabilities.elicitation?.form !== undefined;
    await makeRoom(ctx);
    const { id } = await openAgentSession(ctx, { client: `${clientInfo.name} ${clientInfo.version}`, surface: "mcp" });
    return pass(ctx, await openSession(ctx, id, canConfirm), request, body);
  }
  const misread = WronglyOpened.safeParse(body);
  if (misread.success) {
    const message =
      "initialize needs params.protocolVersion, params.capabilities and params.clientInfo with name and version.";
    return failure(400, ErrorCode.InvalidParams, message, misread.data.id);
  }
  const id = request.headers.get(SESSION_HEADER);
  if (id === null) return failure(400, -32000, "Send initialize first, then its Mcp-Session-Id with each request.");
  const session = findSession(ctx, id);
  if (session === null || !(await isOpen(ctx, session))) {
    return failure(404, -32001, "There is no such session; initialize another one.");
  }
  session.actor = actor;
  session.lastUsedAt = performance.now();
  if (request.method === "DELETE") {
    await endAgentSession(ctx, session.id);
    await closeSession(session, "ended");
    return new Response(null, { status: 200 });
  }
  return pass(ctx, session, request, body);
}

async function openSession(ctx: Ctx, id: string, canConfirm: boolean): Promise<McpSession> {
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
  const session: McpSession = {
    ...{ id, transport, canConfirm, calls: 0, isListening: false, isDue: false, level: "info", state: "open" },
    keeper: keeperOf(ctx),
    actor: requireScope(ctx.actor, "read"),
    database: ctx.database,
    server: buildServer(),
    seen: await whatIsSeen(ctx, { canConfirm }),
    lastUsedAt: performance.now(),
  };
  await session.server.connect(transport);
  allSessions().set(id, session);
  watchOffers();
  return session;
}

async function pass(ctx: Ctx, session: McpSession, request: Request, body: unknown): Promise<Response> {
  const authInfo = carry({ ctx, session, hungUp: request.signal });
  const response = await session.transport.handleRequest(request, { parsedBody: body, authInfo });
  if (request.method === "GET" && response.ok) {
    session.isListening = true;
    session.isDue = true;
    request.signal.addEventListener("abort", () => {
      session.isListening = false;
    });
  }
  return response;
}

/** A person may have ended the session on the Agents page. */
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

function parseBody(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError("malformed", "The body is not valid JSON in UTF-8.", { cause });
  }
}

function failure(status: number, code: number, message: string, id: string | number | null = null): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id }, { status });
}
