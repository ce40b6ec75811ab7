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
import type { Connection } from "./session-events";

/** What the handlers of all revisions know of a request. `canConfirm`: its person can be asked to confirm a run. */
export type RequestContext = {
  ctx: Ctx;
  session: { id: string; canConfirm: boolean };
};

/** A request within a session of the 2025 revisions. */
export type SessionRequest = RequestContext & { session: McpSession; connection: Connection };

export type MessageExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;
// Per process, since another bundle’s copy of this file may have opened the session.
const requestContexts = processStore("mcp-asked", () => new WeakMap<AuthInfo, SessionRequest>());

/** Attaches the request to an object that the SDK passes unchanged to the handlers of its messages. */
export function attachRequest(request: SessionRequest): AuthInfo {
  const info: AuthInfo = { token: "", clientId: request.session.ownerKey, scopes: [] };
  requestContexts.set(info, request);
  return info;
}

/** Thrown errors become JSON-RPC errors that reveal no more than the HTTP API; refusals are recorded. */
export function createHandler<R, T>(
  method: string,
  handle: (context: SessionRequest, request: R, extra: MessageExtra) => Promise<T>,
): (request: R, extra: MessageExtra) => Promise<T> {
  return async (request, extra) => {
    const context = extra.authInfo && requestContexts.get(extra.authInfo);
    if (context === undefined) throw new McpError(ErrorCode.InvalidRequest, "The message came without a request.");
    try {
      return await handle(context, request, extra);
    } catch (thrown) {
      throw await toMcpError(context.ctx, method, thrown);
    }
  };
}

const REFUSED = new Set([401, 403, 429]);

/** Records a refusal, and hides what the HTTP API would hide. */
export async function toMcpError(ctx: Ctx, method: string, thrown: unknown): Promise<McpError> {
  if (thrown instanceof McpError) return thrown;
  if (!(thrown instanceof AppError)) {
    logger.error({ requestId: ctx.request.requestId, method, err: thrown }, "an MCP message failed");
    return new McpError(ErrorCode.InternalError, "The server failed to process the message.", {
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
