import {
  AudioContentSchema,
  type CallToolResult,
  EmbeddedResourceSchema,
  ImageContentSchema,
  TextContentSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { CallOptions } from "../call-skill-tool";
import { callTool } from "../call-tool";
import type { RequestContext } from "./request-context";
import type { RunNotifier } from "./run-notifier";

const DETACH = "skillgate/detach";

/** Below the default timeout of clients, one minute, after which they cancel the call. `get_run` returns later results. */
const WAIT_SECONDS = 50;

/** A result of this form has its content ready for clients of MCP, such as a picture. */
const OwnContent = z.object({
  result: z.strictObject({
    content: z
      .array(z.union([TextContentSchema, ImageContentSchema, AudioContentSchema, EmbeddedResourceSchema]))
      .min(1),
  }),
});

type Call = { name: string; arguments?: Record<string, unknown> | undefined };
type Options = Pick<CallOptions, "signal" | "leave" | "confirm" | "confirmationId"> & { notifier: RunNotifier };

/** Whether the run of a call continues after its client disconnected. */
export function isDetached(meta: Record<string, unknown> | undefined): boolean {
  return meta?.[DETACH] === true;
}

/**
 * Calls a tool and notifies the client of the run's progress. Aborting `signal` cancels the run. A result `{"content": […]}` of
 * content blocks (text, image, audio, embedded resource) is the content of the answer; any other is its JSON as text.
 */
export async function answerCall(
  { ctx, session }: RequestContext,
  { name, arguments: args = {} }: Call,
  { notifier, ...options }: Options,
): Promise<CallToolResult> {
  try {
    const { content, notes, structured, isError } = await callTool(ctx, session, name, args, {
      ...options,
      onAbort: "cancel",
      waitSeconds: WAIT_SECONDS,
      onEvent: notifier.onEvent,
      canConfirm: session.canConfirm,
    });
    await notifier.finish();
    const texts = [content, ...notes].map((text) => ({ type: "text" as const, text }));
    const own = isError ? undefined : OwnContent.safeParse(structured).data;
    return {
      content: own === undefined ? texts : [...own.result.content, ...texts.slice(1)],
      structuredContent: structured,
      isError,
    };
  } finally {
    notifier.stop();
  }
}
