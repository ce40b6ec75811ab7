import { NewWebhook, SourceParams, Webhook } from "@/lib/catalog/sources/schema";
import { createWebhook, deleteWebhook, getWebhook } from "@/lib/catalog/sources/webhooks";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "admin",
  summary: "The webhook of a catalog source, without its secret",
  params: SourceParams,
  answer: Webhook,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getWebhook(ctx, params.id),
});

export const POST = route({
  access: "admin",
  summary: "Make the secret of a catalog source’s webhook; it is shown only here",
  params: SourceParams,
  status: 201,
  answer: NewWebhook,
  handle: ({ ctx, params }) => createWebhook(ctx, params.id),
});

export const DELETE = route({
  access: "admin",
  summary: "Refuse notifications of a catalog source",
  params: SourceParams,
  status: 204,
  handle: ({ ctx, params }) => deleteWebhook(ctx, params.id),
});
