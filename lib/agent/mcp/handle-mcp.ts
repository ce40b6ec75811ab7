import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { ErrorCode, InitializeRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { findCaller } from "@/lib/auth/people/find-caller";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import { type Ctx, createCtx } from "@/lib/db/context";
import { readOfferRevision } from "@/lib/db/offer-revision";
import { requireScope } from "@/lib/policy/require-scope";
import { offeredTools } from "../list-tools";
import { offeredSkills } from "../offers/offered-skills";
import type { AgentTool } from "../schema";
import { endAgentSession, openAgentSession, requireAgentSession } from "../sessions/open-agent-session";
import { buildServer } from "./build-server";
import { allSessions, closeSession, evictIdleSession, findSession, type McpSession, ownerKeyOf } from "./mcp-sessions";
import { attachRequest } from "./request-context";
import { isPrompt } from "./skill-prompts";
import { isResource } from "./skill-resources";

const POLL_MS = 500;

/** Interval for checking all sessions: offers also depend on online workers, token expiry and time. */
const FULL_CHECK_MS = 15_000;
const IDLE_MS = 30 * 60_000;

type Watch = { timer: NodeJS.Timeout | null; revision: number; checkedAt: number; isBusy: boolean };

const toolHashes = new WeakMap<AgentTool, string>();

const SESSION_HEADER = "mcp-session-id";

const MalformedInitialize = z.object({ method: z.literal("initialize"), id: z.union([z.string(), z.number()]) });

type RawRequest = { request: Request; bytes: Uint8Array };

/**
 * Answers one request of the Model Context Protocol by streamable HTTP (revision 2025-11-25 and the earlier ones that the SDK
 * supports). A session belongs to the token that opened it. An unknown session, also after a restart, is 404, so that clients
 * start another one.
 */
export async function handleMcp(ctx: Ctx, { request, bytes }: RawRequest): Promise<Response> {
  const actor = requireScope(ctx.actor, "read");
  const body = request.method === "POST" ? parseBody(bytes) : undefined;
  const opening = InitializeRequestSchema.safeParse(body);
  if (opening.success) {
    const { clientInfo, capabilities } = opening.data.params;
    const canConfirm = capabilities.elicitation?.form !== undefined;
    await evictIdleSession(ctx);
    const { id } = await openAgentSession(ctx, { client: `${clientInfo.name} ${clientInfo.version}`, surface: "mcp" });
    return forwardRequest(ctx, await openSession(ctx, id, canConfirm), request, body);
  }
  const malformed = MalformedInitialize.safeParse(body);
  if (malformed.success) {
    const message =
      "initialize needs params.protocolVersion, params.capabilities and params.clientInfo with name and version.";
    return failure(400, ErrorCode.InvalidParams, message, malformed.data.id);
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
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
  const session: McpSession = {
    ...{ id, transport, canConfirm, calls: 0, isListening: false, needsCheck: false, level: "info", state: "open" },
    ownerKey: ownerKeyOf(ctx),
    actor: requireScope(ctx.actor, "read"),
    database: ctx.database,
    server: buildServer(),
    listHashes: await hashLists(ctx, { canConfirm }),
    lastUsedAt: performance.now(),
  };
  await session.server.connect(transport);
  allSessions().set(id, session);
  watchOffers();
  return session;
}

async function forwardRequest(ctx: Ctx, session: McpSession, request: Request, body: unknown): Promise<Response> {
  const authInfo = attachRequest({ ctx, session, disconnectSignal: request.signal });
  const response = await session.transport.handleRequest(request, { parsedBody: body, authInfo });
  if (request.method === "GET" && response.ok) {
    session.isListening = true;
    session.needsCheck = true;
    request.signal.addEventListener("abort", () => {
      session.isListening = false;
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

function watchState(): Watch {
  return processStore("mcp-watch", () => ({ timer: null, revision: -1, checkedAt: 0, isBusy: false }));
}

/**
 * Starts one timer for all sessions, which stops with the last one. It notifies listening clients within about a second when
 * their tools, resources or prompts change. It ends sessions whose token is no longer valid or that were idle for 30 minutes.
 */
function watchOffers(): void {
  const state = watchState();
  state.timer ??= setInterval(() => void checkSessions(), POLL_MS).unref();
}

/** Checks sessions once: all with `all` or after a change, else only those that may have missed a change. */
export async function checkSessions({ all = false } = {}): Promise<void> {
  const state = watchState();
  if (state.isBusy) return;
  state.isBusy = true;
  try {
    const now = performance.now();
    const sessions = [...allSessions().values()];
    const [first] = sessions;
    if (first === undefined) {
      if (state.timer !== null) clearInterval(state.timer);
      state.timer = null;
      return;
    }
    const revision = await readOfferRevision(first);
    const checksAll = all || revision !== state.revision || now - state.checkedAt >= FULL_CHECK_MS;
    if (checksAll) Object.assign(state, { revision, checkedAt: now });
    for (const session of sessions) {
      if (checksAll || session.needsCheck) await checkSession(session, now);
    }
  } catch (err) {
    logger.warn({ err }, "MCP sessions could not be checked");
  } finally {
    state.isBusy = false;
  }
}

async function checkSession(session: McpSession, now: number): Promise<void> {
  const { actor, database, calls, isListening, lastUsedAt } = session;
  const system = createCtx({ actor: { kind: "system", name: "mcp" }, database });
  const caller = await findCaller(system, {
    userId: actor.userId,
    tokenId: actor.kind === "token" ? actor.tokenId : null,
    sessionId: actor.kind === "user" ? actor.sessionId : null,
  });
  const isIdle = calls === 0 && !isListening && now - lastUsedAt > IDLE_MS;
  if (caller === null || isIdle) return closeSession(session, "ended");
  if (!isListening) return;
  const before = session.listHashes;
  const hashes = await hashLists({ ...system, actor: caller }, session);
  session.listHashes = hashes;
  session.needsCheck = false;
  if (before.tools !== hashes.tools) await session.server.sendToolListChanged();
  if (before.resources !== hashes.resources) await session.server.sendResourceListChanged();
  if (before.prompts !== hashes.prompts) await session.server.sendPromptListChanged();
}

async function hashLists(ctx: Ctx, { canConfirm }: Pick<McpSession, "canConfirm">): Promise<McpSession["listHashes"]> {
  const { tools } = await offeredTools(ctx, { canConfirm });
  const { skills } = await offeredSkills(ctx, { canConfirm });
  const named = (seen: typeof skills) => seen.map(({ name, digest, manifest }) => [name, digest, manifest.description]);
  return {
    tools: hashOf(tools.map(hashOfTool)),
    resources: hashOf(named(skills.filter(isResource)).sort()),
    prompts: hashOf(named(skills.filter(isPrompt)).sort()),
  };
}

/** Cached: sessions of one persona share tools, and their schemas may be long. */
function hashOfTool(tool: AgentTool): string {
  const hash = toolHashes.get(tool) ?? hashOf(tool);
  toolHashes.set(tool, hash);
  return hash;
}

function hashOf(value: unknown): string {
  return sha256Hex(JSON.stringify(value));
}
