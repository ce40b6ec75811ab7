import { z } from "zod";
import { getVersionEvals } from "@/lib/agent/evals/read-version-evals";
import { VersionEvals } from "@/lib/agent/evals/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Evaluation cases of a version, and the problems of unusable ones",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: VersionEvals,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getVersionEvals(ctx, params.id, params.digest),
});
