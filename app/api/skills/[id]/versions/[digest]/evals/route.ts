import { z } from "zod";
import { getVersionEvals } from "@/lib/agent/evals/read-version-evals";
import { VersionEvals } from "@/lib/agent/evals/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "The evaluation cases that a version carries, and what is wrong with those that cannot be run",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: VersionEvals,
  handle: ({ ctx, params }) => getVersionEvals(ctx, params.id, params.digest),
});
