import { z } from "zod";
import { route } from "@/lib/http/route";
import { setStar } from "@/lib/skills/community/popularity";
import { StarState } from "@/lib/skills/community/schema";

const params = z.object({ id: z.string() });

export const PUT = route({
  access: "write",
  summary: "Star a skill",
  params,
  answer: StarState,
  handle: ({ ctx, params }) => setStar(ctx, params.id, true),
});

export const DELETE = route({
  access: "write",
  summary: "Remove your star from a skill",
  params,
  answer: StarState,
  handle: ({ ctx, params }) => setStar(ctx, params.id, false),
});
