import { z } from "zod";
import { getConversation } from "@/lib/agent/playground/conversations";
import { ConversationDetail } from "@/lib/agent/playground/schema";
import { deleteConversation } from "@/lib/agent/playground/stop-conversation";
import { route } from "@/lib/http/route";

const params = z.object({ id: z.string() });

export const GET = route({
  access: "run",
  summary: "One of your conversations with its messages",
  params,
  answer: ConversationDetail,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getConversation(ctx, params.id),
});

export const DELETE = route({
  access: "run",
  summary: "Delete a conversation; its trace and its runs stay",
  params,
  status: 204,
  handle: ({ ctx, params }) => deleteConversation(ctx, params.id),
});
