import { z } from "zod";
import { route } from "@/lib/http/route";
import { getAnalysis } from "@/lib/review/analysis/list-analyses";
import { cancelAnalysis } from "@/lib/review/analysis/request-analysis";
import { Analysis } from "@/lib/review/analysis/schema";

const params = z.object({ id: z.string(), digest: z.string(), analysisId: z.string() });

export const GET = route({
  access: "review",
  summary: "A dry run of a version, with its report",
  params,
  answer: Analysis,
  answersFrom: "rows",
  handle: ({ ctx, params: place }) => getAnalysis(ctx, place),
});

export const DELETE = route({
  access: "review",
  summary: "Cancel a dry run that waits or executes",
  params,
  answer: Analysis,
  handle: ({ ctx, params: place }) => cancelAnalysis(ctx, place),
});
