import { z } from "zod";
import { route } from "@/lib/http/route";
import { listAnalyses } from "@/lib/review/analysis/list-analyses";
import { requestAnalysis } from "@/lib/review/analysis/request-analysis";
import { Analysis, AnalysisList, StartAnalysisInput } from "@/lib/review/analysis/schema";

const params = z.object({ id: z.string(), digest: z.string() });

export const GET = route({
  access: "review",
  summary: "Dry runs of a version, and what a new one would execute",
  params,
  answer: AnalysisList,
  answersFrom: "rows",
  handle: ({ ctx, params: place }) => listAnalyses(ctx, place),
});

export const POST = route({
  access: "review",
  summary: "Start a dry run of a version in a decoy world",
  params,
  body: StartAnalysisInput,
  status: 201,
  answer: Analysis,
  handle: ({ ctx, params: place, body }) => requestAnalysis(ctx, place, body),
});
