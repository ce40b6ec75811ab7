import { z } from "zod";
import { route } from "@/lib/http/route";
import { getPublisher, updatePublisher } from "@/lib/skills/community/publisher-profiles";
import { PatchPublisherInput, Publisher } from "@/lib/skills/community/schema";

const params = z.object({ handle: z.string().max(100) });

export const GET = route({
  access: "read",
  summary: "A publisher by its handle, or one of its handles in the last 30 days; `me` is your own",
  params,
  answer: Publisher,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getPublisher(ctx, params.handle),
});

export const PATCH = route({
  access: "write",
  summary: "Change a publisher’s profile: your own, or any for admins",
  params,
  body: PatchPublisherInput,
  answer: Publisher,
  ifMatch: ({ ctx, params }) => getPublisher(ctx, params.handle),
  handle: ({ ctx, params, body }) => updatePublisher(ctx, params.handle, body),
});
