import { type CallToolRequest, type CallToolResult, ElicitResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { logger } from "@/lib/core/logger";
import type { Confirmation } from "../call-skill-tool";
import { callTool } from "../call-tool";
import type { Asked, MessageExtra } from "./asked-request";
import { tellOfRun } from "./tell-of-run";

const DETACH = "skillgate/detach";
/** Clients give a call up after a minute unless told otherwise, and giving up cancels; get_run tells of what takes longer. */
const WAIT_SECONDS = 50;
const ASK_MS = 5 * 60_000;
const MAX_SHOWN_CHARS = 4_000;

/**
 * Calls a tool and tells the client of the run meanwhile. The run is cancelled when the client cancels the call, and when it
 * hangs up or ends its session, unless the call’s `_meta` says `"skillgate/detach": true`: then it goes on, for get_run.
 */
export async function callByMcp(
  { ctx, session, hungUp }: Asked,
  { params }: CallToolRequest,
  extra: MessageExtra,
): Promise<CallToolResult> {
  const isDetached = params._meta?.[DETACH] === true;
  const given = new AbortController();
  const onCancel = () => {
    if (session.state === "open" || (session.state === "ended" && !isDetached)) given.abort();
  };
  const onHangUp = () => {
    if (session.state !== "left" && !isDetached) given.abort();
  };
  extra.signal.addEventListener("abort", onCancel);
  hungUp.addEventListener("abort", onHangUp);
  if (hungUp.aborted) onHangUp();
  const teller = tellOfRun(session, extra, { tool: params.name, progressToken: params._meta?.progressToken });
  session.calls += 1;
  try {
    const { content, notes, structured, isError } = await callTool(ctx, session, params.name, params.arguments ?? {}, {
      signal: given.signal,
      onAbort: "cancel",
      waitSeconds: WAIT_SECONDS,
      onEvent: teller.onEvent,
      canConfirm: session.canConfirm,
      ...(session.canConfirm ? { confirm: askPerson(extra, given.signal) } : {}),
    });
    await teller.finish();
    const texts = [content, ...notes].map((text) => ({ type: "text" as const, text }));
    return { content: texts, structuredContent: structured, isError };
  } finally {
    teller.stop();
    session.calls -= 1;
    session.lastUsedAt = performance.now();
    extra.signal.removeEventListener("abort", onCancel);
    hungUp.removeEventListener("abort", onHangUp);
    // The SDK answers nothing to a cancelled call, and would leave its stream open.
    if (extra.signal.aborted) session.transport.closeSSEStream(extra.requestId);
  }
}

/**
 * Shows the person at the client a form (`elicitation/create`) with one box. Only a form that was accepted with the box ticked
 * confirms; an answer that does not come within five minutes, or a client that answers with an error, does not.
 */
function askPerson(extra: MessageExtra, signal: AbortSignal): (question: Confirmation) => Promise<boolean> {
  return async ({ tool, reason, args }) => {
    const shown = JSON.stringify(args, null, 2);
    const cut = shown.length > MAX_SHOWN_CHARS ? `${shown.slice(0, MAX_SHOWN_CHARS)}…` : shown;
    const box = { type: "boolean" as const, title: "Run it now", default: false };
    const params = {
      mode: "form" as const,
      message: `Run “${tool.title}”? ${reason.replace(/ Send confirm.*$/, "")}\n\nArguments:\n${cut}`,
      requestedSchema: { type: "object" as const, properties: { confirm: box }, required: ["confirm"] },
    };
    try {
      const asked = { method: "elicitation/create" as const, params };
      const answer = await extra.sendRequest(asked, ElicitResultSchema, { timeout: ASK_MS, signal });
      return answer.action === "accept" && answer.content?.confirm === true;
    } catch (error) {
      logger.debug({ err: error }, "a client did not answer a question to its person");
      return false;
    }
  };
}
