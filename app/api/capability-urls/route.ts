import { createCapabilityUrl, listCapabilityUrls } from "@/lib/distribution/capability-urls";
import {
  CapabilityUrlPage,
  CreateCapabilityUrlInput,
  CreatedCapabilityUrl,
  ListCapabilityUrlsQuery,
} from "@/lib/distribution/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "List your capability URLs, without their tokens",
  query: ListCapabilityUrlsQuery,
  answer: CapabilityUrlPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listCapabilityUrls(ctx, query),
});

export const POST = route({
  access: "write",
  summary: "Create a capability URL; only this answer contains it",
  body: CreateCapabilityUrlInput,
  answer: CreatedCapabilityUrl,
  status: 201,
  handle: ({ ctx, body }) => createCapabilityUrl(ctx, body),
});
