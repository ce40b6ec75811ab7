import type { CallToolRequest, CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { callTool } from "../call-tool";
import type { Asked, MessageExtra } from "./asked-request";
import { tellOfRun } from "./tell-of-run";

const DETACH = "skillgate/detach";
/** Clients give a call up after a minute unless told otherwise, and giving up cancels; get_run tells of what takes longer. */
const WAIT_SECONDS = 50;

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
