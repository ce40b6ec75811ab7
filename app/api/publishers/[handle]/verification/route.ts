import { z } from "zod";
import { route } from "@/lib/http/route";
import { verifyPublisher } from "@/lib/skills/community/publisher-profiles";
import { Publisher } from "@/lib/skills/community/schema";

const params = z.object({ handle: z.string().max(100) });

export const PUT = route({
  access: "admin",
  summary: "Say that a publisher is who its name says",
  params,
  answer: Publisher,
  handle: ({ ctx, params }) => verifyPublisher(ctx, params.handle, true),
});

export const DELETE = route({
  access: "admin",
  summary: "Take the verified mark from a publisher",
  params,
  answer: Publisher,
  handle: ({ ctx, params }) => verifyPublisher(ctx, params.handle, false),
});
