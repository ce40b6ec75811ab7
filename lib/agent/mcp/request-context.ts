import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { ErrorCode, McpError, type ServerNotification, type ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import { recordRefusal } from "@/lib/audit/record-refusal";
import { AppError } from "@/lib/core/errors";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { describeRefusedRun } from "@/lib/runner/describe-refused-run";
import type { McpSession } from "./mcp-sessions";

/** What a handler of one message knows of the HTTP request that brought it. */
export type RequestContext = {
  ctx: Ctx;
  session: McpSession;
  /** Aborted when the client hangs up before it was answered. */
  disconnectSignal: AbortSignal;
};

/** What the SDK gives a handler beside the message. */
export type MessageExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;
// One for the process: a session may have been opened by another bundle’s copy of this file.
const requestContexts = processStore("mcp-asked", () => new WeakMap<AuthInfo, RequestContext>());

/** The SDK hands this object on, untouched, to the handlers of the messages in a request. */
export function attachRequest(what: RequestContext): AuthInfo {
  const info: AuthInfo = { token: "", clientId: what.session.ownerKey, scopes: [] };
  requestContexts.set(info, what);
  return info;
}

/**
 * A handler of one kind of message. What it throws becomes an error of JSON-RPC that says no more than the same failure says
 * by HTTP, and refusals are recorded.
 */
export function createHandler<R, T>(
  method: string,
  handle: (asked: RequestContext, request: R, extra: MessageExtra) => Promise<T>,
): (request: R, extra: MessageExtra) => Promise<T> {
  return async (request, extra) => {
    const what = extra.authInfo && requestContexts.get(extra.authInfo);
    if (what === undefined) throw new McpError(ErrorCode.InvalidRequest, "The message came without a request.");
    try {
      return await handle(what, request, extra);
    } catch (thrown) {
      throw await toMcpError(what.ctx, method, thrown);
    }
  };
}

const REFUSED = new Set([401, 403, 429]);

async function toMcpError(ctx: Ctx, method: string, thrown: unknown): Promise<McpError> {
  if (thrown instanceof McpError) return thrown;
  if (!(thrown instanceof AppError)) {
    logger.error({ requestId: ctx.request.requestId, method, err: thrown }, "an MCP message failed");
    return new McpError(ErrorCode.InternalError, "Something went wrong on the server.", {
      code: "internal",
      requestId: ctx.request.requestId,
    });
  }
  if (REFUSED.has(thrown.status) || thrown.code === "not_approved") {
    const { askedRun } = thrown;
    const describeRun = askedRun && (() => describeRefusedRun(ctx, askedRun));
    const refusal = { method: "POST", path: `/mcp ${method}`, error: thrown, ...(describeRun && { describeRun }) };
    await recordRefusal(ctx, refusal).catch((err: unknown) =>
      logger.error({ requestId: ctx.request.requestId, err }, "a refusal could not be recorded"),
    );
  }
  const { code, rule, errors } = thrown;
  return new McpError(ErrorCode.InvalidParams, thrown.message, {
    code,
    ...(rule ? { rule } : {}),
    ...(errors ? { errors } : {}),
  });
}
