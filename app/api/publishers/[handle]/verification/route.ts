import { z } from "zod";
import { route } from "@/lib/http/route";
import { verifyPublisher } from "@/lib/skills/community/publisher-profiles";
import { Publisher } from "@/lib/skills/community/schema";

const params = z.object({ handle: z.string().max(100) });

export const PUT = route({
  access: "admin",
  summary: "Verify a publisher",
  params,
  answer: Publisher,
  handle: ({ ctx, params }) => verifyPublisher(ctx, params.handle, true),
});

export const DELETE = route({
  access: "admin",
  summary: "Remove the verification of a publisher",
  params,
  answer: Publisher,
  handle: ({ ctx, params }) => verifyPublisher(ctx, params.handle, false),
});
