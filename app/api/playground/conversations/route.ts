import { createConversation, listConversations } from "@/lib/agent/playground/conversations";
import { Conversation, CreateConversationInput, ListConversationsQuery } from "@/lib/agent/playground/schema";
import { pageOf } from "@/lib/core/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "run",
  summary: "List your playground conversations, newest first",
  query: ListConversationsQuery,
  answer: pageOf(Conversation),
  answersFrom: "rows",
  handle: ({ ctx, query }) => listConversations(ctx, query),
});

export const POST = route({
  access: "run",
  summary: "Start a conversation with a model and selected skills",
  body: CreateConversationInput,
  answer: Conversation,
  status: 201,
  handle: ({ ctx, body }) => createConversation(ctx, body),
});
