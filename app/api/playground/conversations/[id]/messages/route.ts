import { z } from "zod";
import { type PlaygroundEvent, SendMessageInput } from "@/lib/agent/playground/schema";
import { sendMessage } from "@/lib/agent/playground/send-message";
import { pushedStream } from "@/lib/http/event-stream";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "run",
  summary:
    "Send a message; the answer streams as Server-Sent Events up to an `end` event with its reason, and continues after you disconnect",
  params: z.object({ id: z.string() }),
  body: SendMessageInput,
  media: ["text/event-stream"],
  handle: ({ ctx, params, body, request }) =>
    pushedStream<PlaygroundEvent>(
      request.signal,
      (onEvent, signal) => sendMessage(ctx, params.id, body, { signal, onEvent }),
      { goesOn: true },
    ),
});
