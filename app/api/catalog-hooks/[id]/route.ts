import { SourceParams } from "@/lib/catalog/sources/schema";
import { receiveHook } from "@/lib/catalog/sources/webhooks";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "public",
  summary: "Notification of a source’s host that something changed; queues a sync",
  params: SourceParams,
  rawBody: { contentType: "*/*" },
  status: 204,
  handle: ({ ctx, params, bytes, request }) => receiveHook(ctx, { ...params, headers: request.headers, bytes }),
});
