import { sendFile } from "@/lib/distribution/clawhub/answer-claw";
import { FileQuery, SlugParams } from "@/lib/distribution/clawhub/schema";
import { plainErrors } from "@/lib/http/plain-errors";
import { route } from "@/lib/http/route";

export const GET = plainErrors(
  route({
    access: "public",
    agents: "open",
    limits: "distribution",
    summary: "ClawHub: one file of a version",
    params: SlugParams,
    query: FileQuery,
    media: ["text/plain", "application/octet-stream"],
    also: { 206: { description: "The requested byte range" } },
    handle: ({ ctx, params, query, request }) => sendFile({ ctx, request, query: { ...params, ...query } }),
  }),
);
