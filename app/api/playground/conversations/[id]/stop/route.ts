import { z } from "zod";
import { stopConversation } from "@/lib/agent/playground/stop-conversation";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "run",
  summary: "Stop the current answer and its runs",
  params: z.object({ id: z.string() }),
  answer: z.object({ stopped: z.boolean() }),
  handle: ({ ctx, params }) => stopConversation(ctx, params.id),
});
