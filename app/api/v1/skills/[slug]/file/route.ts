import { sendFile } from "@/lib/distribution/clawhub/answer-claw";
import { FileQuery, SlugParams } from "@/lib/distribution/clawhub/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "text",
  summary: "ClawHub: one file of a version",
  params: SlugParams,
  query: FileQuery,
  media: ["text/plain", "application/octet-stream"],
  also: { 206: { description: "The requested byte range" } },
  handle: ({ ctx, params, query, request }) => sendFile({ ctx, request, query: { ...params, ...query } }),
});
