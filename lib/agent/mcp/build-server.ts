import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ElicitResultSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { logger } from "@/lib/core/logger";
import type { Confirmation } from "../call-skill-tool";
import { answerCall, isDetached } from "./answer-call";
import { confirmationForm, isConfirmedIn, metaOf, readConfirmation } from "./confirm-run";
import { CAPABILITIES, INSTRUCTIONS, METHODS, readMessage, SERVER_INFO } from "./mcp-methods";
import { createHandler, type MessageExtra, type SessionRequest } from "./request-context";
import { createRunNotifier } from "./run-notifier";
import { watchResource } from "./watched-lists";

const CONFIRM_TIMEOUT_MS = 5 * 60_000;

type Handle = (context: SessionRequest, message: unknown, extra: MessageExtra) => Promise<object>;

/** The server of one session of the 2025 revisions. */
export function buildServer(): Server {
  const server = new Server(SERVER_INFO, {
    instructions: INSTRUCTIONS,
    capabilities: CAPABILITIES,
    // Avoids the default validator, which compiles schemas; the one expected answer is checked by hand.
    jsonSchemaValidator: {
      getValidator: () => () => {
        throw new Error("no schema is compiled");
      },
    },
  });
  const on = (method: string, handle: Handle) => {
    const handler = createHandler(method, handle);
    // Bypasses the override of Server, which parses the messages of tools/call itself.
    Protocol.prototype.setRequestHandler.call(server, z.looseObject({ method: z.literal(method) }), handler as never);
  };
  for (const [method, { answer }] of Object.entries(METHODS)) {
    on(method, ({ ctx, session: { id, canConfirm } }, message) =>
      answer({ ctx, session: { id, canConfirm: canConfirm || isConfirmedIn(metaOf(message)) } }, message),
    );
  }
  on("tools/call", (context, message, extra) =>
    callInSession(context, readMessage(CallToolRequestSchema, "tools/call", message), extra),
  );
  on("logging/setLevel", async ({ session }, message) => {
    session.level = readMessage(SetLevelRequestSchema, "logging/setLevel", message).params.level;
    return {};
  });
  on("resources/subscribe", async ({ ctx, session }, message) => {
    const { uri } = readMessage(SubscribeRequestSchema, "resources/subscribe", message).params;
    await watchResource(ctx, session, uri);
    return {};
  });
  on("resources/unsubscribe", async ({ session }, message) => {
    session.resources.delete(readMessage(UnsubscribeRequestSchema, "resources/unsubscribe", message).params.uri);
    return {};
  });
  return server;
}

/**
 * The run is cancelled when the client cancels the call, ends its session, or disconnects and does not return in time. With `"skillgate/detach": true` in
 * the call’s `_meta` it continues, for get_run.
 */
async function callInSession(
  { ctx, session, connection }: SessionRequest,
  { params }: CallToolRequest,
  extra: MessageExtra,
): Promise<CallToolResult> {
  const { name, _meta: meta } = params;
  const stop = new AbortController();
  const onCancel = () => {
    if (session.state === "open" || (session.state === "ended" && !isDetached(meta))) stop.abort();
  };
  const onLost = () => {
    if (session.state !== "detached" && !isDetached(meta)) stop.abort();
  };
  extra.signal.addEventListener("abort", onCancel);
  const release = connection.onLost(onLost);
  const notifier = createRunNotifier({
    ...{ tool: name, level: session.level, progressToken: meta?.progressToken ?? null },
    notify: extra.sendNotification,
  });
  session.calls += 1;
  const canConfirm = session.canConfirm || isConfirmedIn(meta);
  const confirm = isConfirmedIn(meta) ? async () => true : askPerson(extra, stop.signal);
  try {
    return await answerCall({ ctx, session: { id: session.id, canConfirm } }, params, {
      ...{ notifier, signal: stop.signal },
      ...(canConfirm ? { confirm } : {}),
    });
  } finally {
    session.calls -= 1;
    session.lastUsedAt = performance.now();
    extra.signal.removeEventListener("abort", onCancel);
    release();
    // The SDK sends no answer to a cancelled call and would leave its stream open.
    if (extra.signal.aborted) session.transport.closeSSEStream(extra.requestId);
  }
}

/** Asks by an elicitation form with a checkbox; anything but a checked, accepted form within five minutes is a no. */
function askPerson(extra: MessageExtra, signal: AbortSignal): (question: Confirmation) => Promise<boolean> {
  return async (question) => {
    try {
      const asked = { method: "elicitation/create" as const, params: confirmationForm(question) };
      const answer = await extra.sendRequest(asked, ElicitResultSchema, { timeout: CONFIRM_TIMEOUT_MS, signal });
      return readConfirmation(answer) === true;
    } catch (error) {
      logger.debug({ err: error }, "a client did not answer a confirmation request");
      return false;
    }
  };
}
