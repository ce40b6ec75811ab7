import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  McpError,
  type ServerNotification,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Confirmation } from "@/lib/agent/call-skill-tool";
import { offeredTools } from "@/lib/agent/list-tools";
import { answerCall, isDetached } from "@/lib/agent/mcp/answer-call";
import { canElicit, confirmationForm, isConfirmedIn, readConfirmation } from "@/lib/agent/mcp/confirm-run";
import { CAPABILITIES, INSTRUCTIONS, METHODS, readMessage, SERVER_INFO } from "@/lib/agent/mcp/mcp-methods";
import { type RequestContext, toMcpError } from "@/lib/agent/mcp/request-context";
import { createRunNotifier } from "@/lib/agent/mcp/run-notifier";
import { watchOffers } from "@/lib/agent/mcp/watch-offers";
import { SessionHeader } from "@/lib/agent/schema";
import { implicitAgentSession, requireAgentSession } from "@/lib/agent/sessions/open-agent-session";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { isMapping } from "@/lib/skill-format/json-values";
import type { JsonObject } from "@/lib/skill-format/schema";
import { listenToChanges } from "./change-streams";
import { decodeHeader, type Envelope, HEADER_MISMATCH, readEnvelope, VERSIONS } from "./read-envelope";
import { openQuestion, sealQuestion } from "./request-state";
import { type EventStream, type Message, openEventStream, resultOf } from "./write-answer";

const MISSING_CAPABILITY = -32021;
const QUESTION = "confirm";

/** HTTP statuses of errors; others are the answer to a valid request, with 200. */
const STATUSES: Readonly<Record<number, number>> = {
  [ErrorCode.MethodNotFound]: 404,
  [HEADER_MISMATCH]: 400,
  [MISSING_CAPABILITY]: 400,
};

const Retry = z.looseObject({
  params: z.looseObject({
    requestState: z.string().max(4_000).optional(),
    inputResponses: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** Thrown to answer `input_required`: a person has to be asked first. */
class InputRequired extends Error {
  readonly result: Record<string, unknown>;

  constructor(result: Record<string, unknown>) {
    super("input required");
    this.result = result;
  }
}

/**
 * Answers a request of revision 2026-07-28, which has no sessions. Its steps belong to the agent session that the header
 * X-Agent-Session names, else to that of its token, address and day. Methods other than POST are 405.
 */
export async function answerStateless(
  ctx: Ctx,
  { request, body }: { request: Request; body: unknown },
): Promise<Response> {
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
  const envelope = readEnvelope(request, body);
  if (envelope instanceof Response) return envelope;
  const { id, method } = envelope;
  if (method === "subscriptions/listen") {
    try {
      const response = await listenToChanges(ctx, envelope, request.signal);
      watchOffers();
      return response;
    } catch (thrown) {
      return asResponse(errorOf(id, await toMcpError(ctx, method, thrown)));
    }
  }
  return answerInOneStream(request.signal, async (client) => {
    try {
      return resultOf(id, method, await answer(ctx, request, envelope, client));
    } catch (thrown) {
      if (thrown instanceof InputRequired) return resultOf(id, method, thrown.result);
      return errorOf(id, await toMcpError(ctx, method, thrown));
    }
  });
}

/** `gone`: the client closed the connection, which cancels. `leave`: the process stops. */
type Client = { gone: AbortSignal; leave: AbortSignal; notify(notification: ServerNotification): Promise<void> };

async function answer(
  ctx: Ctx,
  request: Request,
  envelope: Envelope,
  client: Client,
): Promise<Record<string, unknown>> {
  const { method, params, meta } = envelope;
  if (method === "server/discover") {
    return {
      supportedVersions: VERSIONS,
      capabilities: CAPABILITIES,
      serverInfo: SERVER_INFO,
      instructions: INSTRUCTIONS,
    };
  }
  const known = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (known === undefined && method !== "tools/call") {
    throw new McpError(ErrorCode.MethodNotFound, `There is no method ${method.slice(0, 100)}.`);
  }
  const named = request.headers.get(SessionHeader);
  const { id } = await (named === null
    ? implicitAgentSession(ctx, { surface: "mcp", client: meta.client })
    : requireAgentSession(ctx, named));
  const canConfirm = canElicit(meta.capabilities) || isConfirmedIn(meta.all);
  const context = { ctx, session: { id, canConfirm } };
  const message = { method, params };
  if (known !== undefined) return { ...(await known.answer(context, message)) };
  return { ...(await callOnce(context, request.headers, envelope, client)) };
}

/** Calls a tool. A run that its person has to confirm is answered `input_required`, and starts with their answer. */
async function callOnce(
  context: RequestContext,
  headers: Headers,
  { method, params: given, meta }: Envelope,
  { gone, leave, notify }: Client,
): Promise<CallToolResult> {
  const { ctx, session } = context;
  const message = { method, params: given };
  const { params } = readMessage(CallToolRequestSchema, method, message);
  const { requestState, inputResponses } = readMessage(Retry, method, message).params;
  const { name, arguments: args = {} } = params;
  const { tools } = await offeredTools(ctx, session);
  checkParameterHeaders(headers, tools.find((tool) => tool.name === name)?.inputSchema ?? {}, args);
  const asked = requestState === undefined ? null : await openQuestion(ctx, requestState, { name, args });
  const confirm = async (question: Confirmation) => {
    if (isConfirmedIn(meta.all)) return true;
    const isSame = asked?.versionDigest === question.versionDigest && asked.class === question.class;
    const confirmed = isSame ? readConfirmation(inputResponses?.[QUESTION]) : null;
    if (confirmed !== null) return confirmed;
    throw new InputRequired({
      resultType: "input_required",
      inputRequests: { [QUESTION]: { method: "elicitation/create", params: confirmationForm(question) } },
      requestState: await sealQuestion(ctx, question),
    });
  };
  const notifier = createRunNotifier({
    ...{ tool: name, level: meta.logLevel, progressToken: meta.progressToken, notify },
  });
  const result = await answerCall(context, params, {
    ...(isDetached(meta.all) ? { leave: AbortSignal.any([gone, leave]) } : { signal: gone, leave }),
    ...(asked === null ? {} : { confirmationId: asked.id }),
    ...(session.canConfirm ? { confirm } : {}),
    notifier,
  });
  if (!session.canConfirm && result.structuredContent?.code === "confirmation_required") {
    const [said] = result.content;
    const why = said?.type === "text" ? said.text : "A person has to confirm the run.";
    throw new McpError(MISSING_CAPABILITY, why, { requiredCapabilities: { elicitation: { form: {} } } });
  }
  return result;
}

/** Aborted to end the waiting of calls when the process stops. */
function exchanges(): Set<AbortController> {
  return processStore("mcp-exchanges", () => new Set<AbortController>());
}

/** Answers all waiting calls now; their runs continue, for get_run. */
export function leaveExchanges(): void {
  for (const exchange of exchanges()) exchange.abort();
}

/** The answer is JSON, or from the first notification on a stream of server-sent events that ends with the answer. */
function answerInOneStream(gone: AbortSignal, work: (client: Client) => Promise<Message>): Promise<Response> {
  const [cancel, leave] = [new AbortController(), new AbortController()];
  const onGone = () => {
    if (!leave.signal.aborted) cancel.abort();
  };
  gone.addEventListener("abort", onGone);
  if (gone.aborted) onGone();
  exchanges().add(leave);
  return new Promise((resolve, reject) => {
    let events: EventStream | null = null;
    const notify = async (notification: ServerNotification) => {
      events ??= openEventStream(onGone);
      resolve(events.response);
      events.send({ jsonrpc: "2.0", ...notification });
    };
    work({ gone: cancel.signal, leave: leave.signal, notify })
      .then((message) => {
        if (events === null) return resolve(asResponse(message));
        events.send(message);
        events.end();
      })
      .catch(reject)
      .finally(() => {
        gone.removeEventListener("abort", onGone);
        exchanges().delete(leave);
      });
  });
}

function errorOf(id: Envelope["id"], { code, message, data }: McpError): Message {
  const said = message.replace(/^MCP error -?\d+: /, "");
  return { jsonrpc: "2.0", id, error: { code, message: said, ...(data === undefined ? {} : { data }) } };
}

function asResponse(message: Message): Response {
  const code = z.looseObject({ error: z.looseObject({ code: z.number() }) }).safeParse(message).data?.error.code;
  return Response.json(message, { status: (code === undefined ? undefined : STATUSES[code]) ?? 200 });
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

type Mirrored = { header: string; value: unknown };

/**
 * Compares the headers `Mcp-Param-…` of a call with its arguments, for each parameter that the tool’s schema marks with
 * `x-mcp-header` (basic/transports/streamable-http, Custom Headers from Tool Parameters). Throws -32020 for a header that is
 * missing, is not valid, or says something else than the body.
 */
export function checkParameterHeaders(headers: Headers, schema: JsonObject, args: unknown): void {
  for (const { header, value } of findMirrored(schema, args)) {
    const said = headers.get(header);
    const isAbsent = value === undefined || value === null;
    if (isAbsent && said === null) continue;
    if (said === null) throw new McpError(HEADER_MISMATCH, `The header ${header} is missing.`);
    const decoded = decodeHeader(said);
    const isSame =
      typeof value === "number" ? decoded?.trim() !== "" && Number(decoded) === value : decoded === String(value);
    if (isAbsent || decoded === null || !isSame) {
      throw new McpError(HEADER_MISMATCH, `The header ${header} differs from the argument in the body.`);
    }
  }
}

/** Only chains of `properties` are followed; the protocol allows no other place. */
function findMirrored(schema: JsonObject, args: unknown): Mirrored[] {
  if (!isMapping(schema.properties)) return [];
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    if (!isMapping(property)) return [];
    const value = isMapping(args) && Object.hasOwn(args, name) ? args[name] : undefined;
    const marked = property["x-mcp-header"];
    const isMarked = typeof marked === "string" && TOKEN.test(marked);
    return [...(isMarked ? [{ header: `Mcp-Param-${marked}`, value }] : []), ...findMirrored(property, value)];
  });
}
