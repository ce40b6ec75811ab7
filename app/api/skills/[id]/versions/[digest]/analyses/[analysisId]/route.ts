import { z } from "zod";
import { route } from "@/lib/http/route";
import { getAnalysis } from "@/lib/review/analysis/list-analyses";
import { Analysis } from "@/lib/review/analysis/schema";

export const GET = route({
  access: "review",
  summary: "A dry run of a version, with its report",
  params: z.object({ id: z.string(), digest: z.string(), analysisId: z.string() }),
  answer: Analysis,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getAnalysis(ctx, params),
});
